// What kills applies whose disk is wiped after every kill.
export { bundleCommand } from "../../test/fakes/command.js";
export { wipedTrial } from "../../test/journeys/kill/elsewhere.js";
export { FILE, PLACES } from "../../test/journeys/kill/places.js";
