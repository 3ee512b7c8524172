// What plays scenarios against the laws.
export { campaign, scenarioOf, shrink } from "../../test/journeys/laws/campaign.js";
export { play } from "../../test/journeys/laws/play.js";
