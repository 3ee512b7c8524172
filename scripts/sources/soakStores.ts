// What kills applies, and commands that change a state, whose disk is wiped after every kill.
export { bundleCommand } from "../../test/fakes/command.js";
export { commandTrial } from "../../test/journeys/kill/commandTrial.js";
export { wipedTrial } from "../../test/journeys/kill/elsewhere.js";
export { FILE, PLACES } from "../../test/journeys/kill/places.js";
