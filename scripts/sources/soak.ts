// What kills applies and counts what came of it.
export { bundleCommand } from "../../test/fakes/command.js";
export { campaign, interfaceOf, paceOf } from "../../test/journeys/kill/campaign.js";
export { killed } from "../../test/journeys/kill/tally.js";
export { trial } from "../../test/journeys/kill/trial.js";
