import { Account } from "../../src/impact/account.js";
import { answersFrom, type Census } from "../../src/impact/census.js";
import { peopleOf } from "../../src/impact/person.js";
import { refName } from "../../src/kinds/people.js";

/** The people of the documented examples: Ana Ray, whom the rules are asked about, and her manager Bo. */
const ROWS = [
  {
    id: "u1",
    displayName: "Ana Ray",
    email: "ana.ray@example.test",
    emails: ["ana.ray@example.test", "a@corp.test"],
    username: "ana.ray",
    usernames: ["ana.ray", "ana"],
    department: "Treasury",
    jobTitle: "Senior Analyst",
    employmentType: "Full Time",
    employmentStatus: "Active",
    status: "ENABLED",
    directoryStatus: "ENABLED",
    type: "USER_TYPE_HUMAN",
    managerIds: ["u2"],
    profile: {
      costCenter: "CC-77",
      "Cost Center": "T&R",
      grade: 6,
      level: "7",
      tags: ["eu", "finance"],
      hire_date: "2026-11-18",
      contract_end_date: "2026-11-30",
      last_login: "2026-01-05T08:00:00Z",
      lastUnix: "1767225600",
    },
  },
  {
    id: "u2",
    displayName: "Bo Lind",
    email: "bo@example.test",
    department: "Treasury",
    jobTitle: "Director",
    status: "ENABLED",
    type: "USER_TYPE_HUMAN",
    managerIds: [],
    profile: {},
  },
];

export const NOW = new Date("2026-11-20T00:00:00Z");

export const ACCOUNT = new Account({
  id: "a9",
  username: "svc_backup",
  email: "backup@svc.test",
  appUserType: "APP_USER_TYPE_SERVICE_ACCOUNT",
  status: { status: "STATUS_ENABLED", details: "Active since May" },
  profile: { env: "prod" },
});

const [ana, bo] = peopleOf(ROWS);
if (ana === undefined || bo === undefined) throw new Error("the example has two people");

export const ANA = ana;

export const CENSUS: Census = {
  people: [ana, bo],
  areAll: true,
  accounts: new Map([
    ["app1", [new Account({ id: "a1", identityUserId: "u1", status: { status: "STATUS_ENABLED" } })]],
    ["appX", []],
  ]),
  members: new Map([
    [refName({ appId: "app1", id: "ent1" }), new Map([["u1", true]])],
    [refName({ appId: "app1", id: "ent2" }), new Map()],
    [refName({ appId: "app9", id: "tax" }), new Map([["u1", true]])],
  ]),
  groups: new Map([["Tax", { id: "tax", appId: "app9", displayName: "Tax" }]]),
};

export const ANSWERS = answersFrom(CENSUS);
