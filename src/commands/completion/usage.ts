import { SHELLS, type Shell } from "../../cli/completion/shells.js";

/** `remit completion`. */
export const completion = {
  docs: {
    brief: "Print the script that completes remit in a shell",
    fullDescription:
      "It completes commands, flags, their values, addresses, names and files.\n\n" +
      "Examples:\n" +
      "  source <(remit completion bash)        in ~/.bashrc\n" +
      "  source <(remit completion zsh)         in ~/.zshrc, after compinit\n" +
      "  remit completion fish | source         in ~/.config/fish/config.fish",
  },
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "bash, zsh or fish",
          parse: shellNamed,
          placeholder: "shell",
          proposeCompletions: () => SHELLS,
        },
      ],
    },
  },
} as const;

function shellNamed(text: string): Shell {
  const shell = SHELLS.find((each) => each === text);
  if (shell === undefined) throw new Error(`it is one of ${SHELLS.join(", ")}`);
  return shell;
}
