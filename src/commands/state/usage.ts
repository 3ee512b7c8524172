import type { Context } from "../../cli/run/context.js";
import { choiceFlags, contextFlag } from "../../cli/run/flags.js";
import { type FlagsOf, isGiven, oneOf, tenantFlags, text } from "../../cli/settings/flags.js";

const flags = {
  format: oneOf(["text", "json"], "How it is printed"),
  ...contextFlag,
  state: tenantFlags.state,
  settingsFrom: tenantFlags.settingsFrom,
} as const;

const address = {
  kind: "tuple",
  parameters: [
    {
      brief: "Kind/name",
      parse: String,
      placeholder: "address",
      async proposeCompletions(this: Context) {
        return (await import("../../cli/completion/remembered.js")).rememberedAddresses(this);
      },
    },
  ],
} as const;

/** `remit state`: looks into the state. */
export const state = {
  docs: { brief: "Inspect, move or encrypt the state" },
  routes: {
    list: {
      docs: {
        brief: "List the objects in the state",
        fullDescription:
          "Prints the address, the id and the last apply of each object, and why the result of a create is unknown. " +
          "Says whose state it is, who applied last, and who holds the lock. " +
          "For each kind, it also says what of the tenant remit cannot see.\n\n" +
          "Example:\n  remit state list --format json",
      },
      parameters: { flags },
    },
    stores: {
      docs: {
        brief: "List the states beside this one",
        fullDescription:
          "Prints each state of the repository, the bucket, the database or the folder that the address leads to: its address, its project, " +
          "its serial, and who holds its lock. In a bucket it needs the right to list.\n\n" +
          "Examples:\n" +
          "  remit state stores\n" +
          "  remit state stores --state postgres://db.example.com/remit",
      },
      parameters: { flags },
    },
    show: {
      docs: {
        brief: "Print what the state contains about one object",
        fullDescription:
          "Prints what was applied and what the service answered, as JSON.\n\nExample:\n  remit state show EntitlementAutomation/engineering",
      },
      parameters: { flags, positional: address },
    },
    forget: {
      docs: {
        brief: "Stop managing objects; they stay in the tenant",
        fullDescription:
          "The objects stay in the tenant unchanged. The next plan does not know what was applied to them, and no longer deletes them. " +
          "A protected object needs an acknowledgement.\n\n" +
          "Examples:\n" +
          "  remit state forget EntitlementAutomation/engineering\n" +
          "  remit state forget ResourceType/team@APP/ID   a former object of that address\n" +
          "  remit state forget 'ResourceType/old-*'       all that the pattern fits\n" +
          "  remit state forget --uncertain '*/*'          creates of unknown result",
      },
      parameters: {
        flags: {
          ...flags,
          acknowledge: choiceFlags.acknowledge,
          uncertain: isGiven("Only creates whose result is unknown"),
        },
        positional: address,
      },
    },
    unlock: {
      docs: {
        brief: "Remove the lock of a run that no longer exists",
        fullDescription:
          "remit takes over the lock of a process that has ended on this machine. This command is for a lock of another machine.\n\n" +
          "Examples:\n" +
          "  remit state unlock\n" +
          "  remit state unlock --set-aside   keep a journal that no apply can settle",
      },
      parameters: {
        flags: {
          ...flags,
          setAside: isGiven("Keep a journal in a file that no apply can settle"),
        },
      },
    },
    settle: {
      docs: {
        brief: "Say which object a create of unknown result made",
        fullDescription:
          "Reads the object, and records it under the address. The next plan compares it with its manifest. " +
          "Where the service does not show it, the state records what was sent. " +
          "It also settles an object that a shared state names and the tenant did not confirm.\n\n" +
          "Example:\n  remit state settle ReviewTemplate/q4 --key 2fsgTvxP0DVTsNXEUBI7hOe0l5A",
      },
      parameters: {
        flags: {
          ...flags,
          server: tenantFlags.server,
          interface: tenantFlags.interface,
          key: {
            kind: "parsed",
            parse: String,
            brief: "The ids of the object, such as APP/ID",
            placeholder: "ids",
          },
        },
        positional: address,
      },
    },
    move: {
      docs: {
        brief: "Move the state to another store or project",
        fullDescription:
          "Writes the state to the store of that address, reads it back, and marks the store where it was: no run continues with that one. " +
          "Both are locked meanwhile. The keys and passwords of both come from the environment. " +
          "With --from-project, a state of another project, or one that names none, is given to this project, also without an address.\n\n" +
          "Examples:\n" +
          "  remit state move s3://my-bucket/remit/prod\n" +
          "  remit state move --state postgres://db.example.com/remit .remit/state.json\n" +
          "  remit state move --from-project github.com/acme/old-name",
      },
      parameters: {
        flags: {
          ...flags,
          fromProject: text("name", "The project that it belongs to, or none"),
        },
        positional: {
          kind: "tuple",
          parameters: [
            {
              brief: "a path, or an address of a store",
              parse: String,
              optional: true,
              placeholder: "address",
            },
          ],
        },
      },
    },
    rescue: {
      docs: {
        brief: "Bring in answers that a run could not write to the state",
        fullDescription:
          "An apply whose store stays away writes the answers that the state lacks to a file, and prints its path last. " +
          "This command brings them in: only answers to writes of that run that are open in the state, or whose result it does not know. " +
          "Nothing else changes.\n\nExample:\n  remit state rescue ~/.local/state/remit/rescue/rescue-1f3a.json",
      },
      parameters: {
        flags,
        positional: {
          kind: "tuple",
          parameters: [{ brief: "the rescue file", parse: String, placeholder: "file" }],
        },
      },
    },
    compact: {
      docs: {
        brief: "Start the git history of the state again",
        fullDescription:
          "Replaces the commits of a `git:` state by one commit with everything that is kept now.\n\nExample:\n  remit state compact",
      },
      parameters: { flags },
    },
    encrypt: {
      docs: {
        brief: "Encrypt the state with REMIT_STATE_KEY",
        fullDescription:
          "Saves the state once more, encrypted with the first key of REMIT_STATE_KEY. From then on every command needs that key. " +
          "To change the key, write the new one before the old one, run this command, and take the old one away.\n\n" +
          "Examples:\n" +
          "  REMIT_STATE_KEY=NEW remit state encrypt\n" +
          "  REMIT_STATE_KEY=NEW,OLD remit state encrypt",
      },
      parameters: { flags },
    },
    decrypt: {
      docs: {
        brief: "Save the state without encryption",
        fullDescription:
          "Saves the state once more, so that it is readable without REMIT_STATE_KEY.\n\nExample:\n  remit state decrypt",
      },
      parameters: { flags },
    },
  },
} as const;

/** The flags of each of them. */
export type StateFlags = FlagsOf<typeof flags>;
export type ForgetFlags = FlagsOf<typeof state.routes.forget.parameters.flags>;
export type UnlockFlags = FlagsOf<typeof state.routes.unlock.parameters.flags>;
export type SettleFlags = FlagsOf<typeof state.routes.settle.parameters.flags>;
export type MoveFlags = FlagsOf<typeof state.routes.move.parameters.flags>;
