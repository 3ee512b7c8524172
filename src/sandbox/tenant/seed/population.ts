import type { JsonObject } from "../../../model/json.js";
import type { Path } from "../../../model/path.js";
import { chanceOf } from "../../faults/chance.js";
import { user as userMessage } from "../../messages/user.js";
import { refuse } from "../reading.js";
import type { NamedRow } from "../tenant.js";
import { SEEDED_AT } from "./apps.js";
import { profileRow, valueRow } from "./named.js";
import { idOf } from "./naming.js";
import type { Names } from "./references.js";
import { checked, inFull, type PeopleShape, type SeedShape, type SeedUser } from "./shape.js";

/** Everything in a seed that other parts of it name: users, access profiles, values. */
interface Population {
  readonly users: readonly NamedRow[];
  readonly profiles: readonly NamedRow[];
  readonly values: readonly NamedRow[];
  readonly names: Names;
  /** The id of the user of that e-mail. */
  operatorId(email: string): string;
}

/** Reads what a seed says of users, made-up people, access profiles and values. */
export function populationOf(seed: SeedShape): Population {
  const users = [
    ...(seed.users ?? []).map((user, place) => userRow(user, ["users", place])),
    ...(seed.people === undefined ? [] : peopleRows(seed.people)),
  ];
  const profiles = (seed.accessProfiles ?? []).map((each, place) =>
    profileRow(each, ["accessProfiles", place]),
  );
  const riskLevels = (seed.riskLevels ?? []).map((each) => valueRow("riskLevel", inFull(each)));
  const frameworks = (seed.complianceFrameworks ?? []).map((each) =>
    valueRow("complianceFramework", inFull(each)),
  );
  const names: Names = {
    user: named(users, "email"),
    profile: named(profiles, "displayName"),
    riskLevel: named(riskLevels, "value"),
    complianceFramework: named(frameworks, "value"),
  };
  return {
    users,
    profiles,
    values: [...riskLevels, ...frameworks],
    names,
    operatorId: (email) => names.user.get(email) ?? refuse(["operator"], "is not the e-mail of a user"),
  };
}

/** From the name of each row to its id; where two rows have one name, to that of the first. */
function named(rows: readonly NamedRow[], field: string): ReadonlyMap<string, string> {
  return new Map([...rows].reverse().map((row) => [String(row[field]), row.id]));
}

/** The row of one user of a seed. */
function userRow(user: SeedUser, path: Path): NamedRow {
  const { name, email, department, jobTitle, manager, status = "ENABLED", profile, fields = {} } = user;
  const written = {
    ...(email === undefined ? {} : { email, emails: [email] }),
    ...(department === undefined ? {} : { department }),
    ...(jobTitle === undefined ? {} : { jobTitle }),
    ...(manager === undefined ? {} : { managerIds: [userId({ email: manager, name: manager })] }),
    status,
    directoryStatus: status,
    type: "USER_TYPE_HUMAN",
    origin: "USER_ORIGIN_DIRECTORY",
    ...(profile === undefined ? {} : { profile }),
    ...fields,
  };
  return {
    ...checked(written, userMessage, path),
    ...SEEDED_AT,
    ...(status === "DELETED" ? { deletedAt: "2025-06-30T17:00:00Z" } : {}),
    id: user.id ?? userId(user),
    displayName: name,
  };
}

/** The id of a user, made of the address or, without one, of the name. */
function userId({ email, name }: { readonly email?: string; readonly name: string }): string {
  return idOf("user", email ?? name);
}

/** How many people report to one manager. */
const SPAN = 8;

/**
 * So many people, the same for the same numbers, in departments with a chain of managers, of all statuses and types. In
 * their profiles, keys have spaces, numbers are texts and some keys are missing. The first of a department leads it.
 */
export function peopleRows({ count, domain = "example.test", seed = 1 }: PeopleShape): readonly NamedRow[] {
  const staff = new Map<string, number[]>();
  const departments = Array.from({ length: count }, (_, place) => departmentOf(place, seed));
  for (const [place, department] of departments.entries()) {
    const group = staff.get(department.name);
    if (group === undefined) staff.set(department.name, [place]);
    else group.push(place);
  }
  const rank = new Map<number, number>();
  for (const group of staff.values()) for (const [index, place] of group.entries()) rank.set(place, index);
  return departments.map((department, place): NamedRow => {
    const own = rank.get(place) ?? 0;
    const manager =
      own === 0 ? (place === 0 ? undefined : 0) : staff.get(department.name)?.[managerRank(own)];
    return personRow({ place, own, department, manager, domain, seed });
  });
}

/** The id of the person of that place. */
function personId(place: number): string {
  return `2person${String(place).padStart(20, "0")}`;
}

function managerRank(rank: number): number {
  return Math.floor((rank - 1) / SPAN);
}

type Department = (typeof COMPANY)[number];

/** The first of the company leads it; the others fall to departments by their share. */
function departmentOf(place: number, seed: number): Department {
  let draw = chanceOf(seed, `department ${place}`) * COMPANY.reduce((sum, each) => sum + each.share, 0);
  for (const each of COMPANY) {
    draw -= each.share;
    if (draw < 0) return each;
  }
  return COMPANY[0];
}

interface Person {
  readonly place: number;
  /** The place in the department; 0 leads it. */
  readonly own: number;
  readonly department: Department;
  readonly manager: number | undefined;
  readonly domain: string;
  readonly seed: number;
}

function personRow({ place, own, department, manager, domain, seed }: Person): NamedRow {
  const draw = (what: string) => chanceOf(seed, `${what} ${place}`);
  const type = typeOf(draw("type"), own);
  const first = pick(FIRST_NAMES, draw("first"));
  const last = pick(LAST_NAMES, draw("last"));
  const displayName =
    type === "HUMAN" ? `${first} ${last}` : `${department.name} ${type.toLowerCase()} ${place}`;
  const username = type === "HUMAN" ? `${slug(first)}.${slug(last)}.${place}` : `${slug(type)}-${place}`;
  const email = `${username}@${domain}`;
  const status = own === 0 ? "ENABLED" : statusOf(draw("status"));
  const isContractor = own > 0 && draw("employment") < 0.12;
  return {
    id: personId(place),
    displayName,
    email,
    emails: draw("second") < 0.1 ? [email, `${username}@mail.${domain}`] : [email],
    username,
    usernames: [username],
    employeeIds: [String(10_000 + place)],
    department: department.name,
    jobTitle: own === 0 ? `Head of ${department.name}` : pick(department.titles, draw("title")),
    employmentType: isContractor ? "Contractor" : "Employee",
    employmentStatus: status === "ENABLED" ? "Active" : "Terminated",
    status,
    directoryStatus: status,
    type: `USER_TYPE_${type}`,
    origin: type === "HUMAN" ? "USER_ORIGIN_DIRECTORY" : "USER_ORIGIN_LOCAL",
    managerIds: manager === undefined ? [] : [personId(manager)],
    profile: profileOf(department, draw),
    ...SEEDED_AT,
    ...(status === "DELETED" ? { deletedAt: "2025-06-30T17:00:00Z" } : {}),
  };
}

function profileOf(department: Department, draw: (what: string) => number): JsonObject {
  const day = String(1 + Math.floor(draw("day") * 28)).padStart(2, "0");
  const month = String(1 + Math.floor(draw("month") * 12)).padStart(2, "0");
  return {
    department: department.name,
    costCenter: `CC-${department.center}`,
    "Cost Center": `${department.name} ${department.center}`,
    hire_date: `${2014 + Math.floor(draw("year") * 12)}-${month}-${day}`,
    location: pick(["Oslo", "Lisbon", "Denver", "Remote"], draw("location")),
    // A number as a text, and missing for some: rules that do not guard it fail for these people.
    ...(draw("has level") < 0.8 ? { level: String(1 + Math.floor(draw("level") * 9)) } : {}),
  };
}

function typeOf(draw: number, own: number): "HUMAN" | "SERVICE" | "SYSTEM" | "AGENT" {
  if (own === 0 || draw < 0.97) return "HUMAN";
  if (draw < 0.99) return "SERVICE";
  return draw < 0.995 ? "SYSTEM" : "AGENT";
}

function statusOf(draw: number): "ENABLED" | "DISABLED" | "DELETED" | "UNKNOWN" {
  if (draw < 0.945) return "ENABLED";
  if (draw < 0.98) return "DISABLED";
  return draw < 0.995 ? "DELETED" : "UNKNOWN";
}

function pick(words: readonly string[], draw: number): string {
  return words[Math.floor(draw * words.length)] ?? "";
}

function slug(word: string): string {
  return word.toLowerCase().replace(/[^a-z]/g, "");
}

/** The departments of a made-up company: their share of the people, their cost centre, what people are called there. */
const COMPANY = [
  {
    name: "Clinical Operations",
    share: 30,
    center: 20,
    titles: ["Nurse", "Physician", "Care Coordinator", "Clinical Lead", "Pharmacist"],
  },
  {
    name: "Engineering",
    share: 18,
    center: 40,
    titles: ["Engineer", "Senior Engineer", "Staff Engineer", "Engineering Manager", "Tester"],
  },
  { name: "Support", share: 14, center: 25, titles: ["Support Agent", "Senior Agent", "Team Lead"] },
  {
    name: "Sales",
    share: 10,
    center: 50,
    titles: ["Account Executive", "Sales Manager", "Solution Engineer"],
  },
  { name: "Platform", share: 6, center: 41, titles: ["Engineer", "Site Reliability Engineer"] },
  { name: "Finance", share: 5, center: 10, titles: ["Accountant", "Controller", "Payroll Analyst"] },
  { name: "Data", share: 5, center: 42, titles: ["Analyst", "Data Engineer", "Data Scientist"] },
  { name: "People", share: 4, center: 11, titles: ["Recruiter", "People Partner"] },
  { name: "IT", share: 3, center: 43, titles: ["Administrator", "Help Desk Agent"] },
  { name: "Security", share: 3, center: 44, titles: ["Security Engineer", "Security Analyst"] },
  { name: "Legal", share: 2, center: 12, titles: ["Counsel", "Paralegal"] },
] as const satisfies readonly {
  readonly name: string;
  readonly share: number;
  readonly center: number;
  readonly titles: readonly string[];
}[];

/** First names of made-up people. */
const FIRST_NAMES: readonly string[] =
  "Ana Bo Cy Dara Eli Fay Gus Hana Ivo Jun Kai Lea Mo Nia Otto Pia Quinn Rui Sol Tess Uma Vik Wen Xia Yara Zoe Amir Bela Caro Dov".split(
    " ",
  );

/** Last names of made-up people. */
const LAST_NAMES: readonly string[] =
  "Ruiz Lind Tan Okoye Hart Silva Novak Berg Costa Diaz Eriksen Faber Gallo Haas Ito Jansen Khan Laine Moreau Nagy O'Brien Petrov Quist Rossi Sato Toth Ueda Vega Wolff Young".split(
    " ",
  );
