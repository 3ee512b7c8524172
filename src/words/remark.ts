import type { Section } from "./saying.js";

export const REMARK = {
  heading: "remarks: what a plan explains about one object",
  intro: "A remark stands with its object and asks for nothing.",
  rows: {
    "remark/restore": {
      severity: "note",
      title: "What an object had before remit first managed a field",
      help: "Write the lines in the manifest, and the next apply restores them.",
      cases: {
        fields: { message: "to restore it, write" },
        object: { message: "to restore what was there before remit, write under `spec`" },
      },
    },
    "remark/changed-at": {
      severity: "note",
      title: "When the tenant changed an object last",
      help: "The service does not say who changed it.",
      message: "last on {day} at {time} UTC",
    },
    "remark/last-file": {
      severity: "note",
      title: "The file of the manifest that an object had last",
      help: "Write the manifest there again, or decide what happens to the object.",
      message: "was in",
    },
  },
} as const satisfies Section;
