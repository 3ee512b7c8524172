import { configDefaults, mergeConfig } from "vitest/config";
import all from "./vitest.config.js";

/** What costs most and is seldom broken alone: processes, servers, repositories, browsers, and worlds by the hundred. */
const SLOW = [
  "{examples,forge,fuzz,journeys,package,pty,telemetry,threats,workflows}/**",
  "tenant/client/{bounds,echo,governor,governorChance,pace/*}",
  "apply/{brokenFile,estimate,journal/recover,movedNames,optionalReads,peopleLaws,remembered,run,selection,teamGuards}",
  "author/manifest",
  "commands/{accept/accept.property,doctor/examine,evidence/**,import/{import,importLaws,importWaits,unmanaged},review/{approvedAttacks,reviewedSteps}}",
  "cli/{open/gitStore,settings/projectName,world/write}",
  "docs/{agents,audit,brownfield,comparison,exitCodes,groups,picture,questions}",
  "golden/{accept,apply,doctor,get,impact,import,names,plan,remembered,unmanaged,validate}",
  "impact/{alike,guard/asking,rule/{conformance,day,depth}}",
  "manifest/hostile",
  "manifest/{expand/{hostileRows,law},format/{format.property,snippet},git/*}",
  "plan/{laws,since/*}",
  "report/{hostile,longText}",
  "report/{comment/*,html/browser}",
  "report/forms/html/page",
  "sandbox/**",
  "schema/{editor,files,generated}",
  "state/{file,git/*,http,lock,postgres,s3}",
];

/** The tests of `npm run test:quick`: a tenth of the work of all, with fewer generated cases. */
export default mergeConfig(all, {
  test: {
    exclude: [
      ...configDefaults.exclude,
      ...SLOW.map((name) => `test/${name}${name.endsWith("**") ? "" : ".test.ts"}`),
    ],
    env: { REMIT_TEST_SCALE: "0.2" },
  },
});
