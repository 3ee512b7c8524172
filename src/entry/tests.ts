/* Tests of rules, with made-up people. */

export { runTests, type TestReport } from "../session/test/test.js";
