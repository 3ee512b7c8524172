/** The departments of a made-up company: their share of the people, their cost centre, what people are called there. */
export const COMPANY = [
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
export const FIRST_NAMES: readonly string[] =
  "Ana Bo Cy Dara Eli Fay Gus Hana Ivo Jun Kai Lea Mo Nia Otto Pia Quinn Rui Sol Tess Uma Vik Wen Xia Yara Zoe Amir Bela Caro Dov".split(
    " ",
  );

/** Last names of made-up people. */
export const LAST_NAMES: readonly string[] =
  "Ruiz Lind Tan Okoye Hart Silva Novak Berg Costa Diaz Eriksen Faber Gallo Haas Ito Jansen Khan Laine Moreau Nagy O'Brien Petrov Quist Rossi Sato Toth Ueda Vega Wolff Young".split(
    " ",
  );
