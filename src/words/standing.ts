import type { Section } from "./saying.js";

/** The part of a plan's sentences that are about what the service does with an object, beside its fields. */
export const STANDING_ROWS = {
  "plan/run-failed": {
    severity: "warning",
    title: "The service says that its last run of a rule failed",
    help: "The members may not be those whom the rule matches. Look at the automation in the service.",
    message: "{trouble}",
    hint: "Its members may not be those whom the rule matches. Look at the automation in the service.",
  },
  "plan/defaults-failed": {
    severity: "warning",
    title: "The service did not write the request defaults of an app into all of its entitlements",
    help: "Some entitlements may not have them. Look at the app in the service, and let the defaults be written again there.",
    message:
      "the service's last run over the entitlements did not end well: some may not have the request defaults",
    hint: "Look at the app in the service, and let its defaults be written again there.",
  },
  "plan/defaults-running": {
    severity: "note",
    title: "The service is still writing the request defaults of an app into its entitlements",
    help: "What an unlocked entitlement of the app has is not known until the run ends. Plan again then.",
    message:
      "the service is still writing the request defaults: what unlocked entitlements have is not known yet",
    hint: "Plan again once the run has ended, before you rely on what entitlements show.",
  },
  "plan/no-usage-data": {
    severity: "warning",
    title: "An app takes access from people who do not use it, and the service does not know who uses it",
    help: "Without usage data everyone may count as inactive. Connect a source of usage data first, or leave `revoke` out.",
    message:
      "`usageControls.revoke` is on, and the service has no usage data of the app: everyone may count as inactive",
    hint: "Set `revoke: false` until the service shows usage data of the app.",
  },
  "plan/switched-off": {
    severity: "warning",
    title: "An object does nothing until a person switches it on in the browser",
    help: "Switch it on in the browser: no call of the service does.",
    message:
      "the {noun} finds nothing until a person switches it on in the browser; no call of the service does",
    hint: "Switch it on in the browser after the apply. Each plan says so until a read shows it switched on.",
  },
  "plan/items-unlisted": {
    severity: "note",
    title: "The service does not list what is in a group, so that it may have more than the manifest",
    help: "Compare the group in the browser: remit sees of it only what the manifest names or what it recorded.",
    message: "{fields`} may have more than remit knows of: the service lists no {noun}'s groups",
    hint: "Compare them in the browser. What remit did not add stays as it is.",
  },
} as const satisfies Section["rows"];
