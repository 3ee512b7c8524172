/** What `remit` without a command prints: the most important commands, and where the others are listed. */
export const WELCOME = `remit keeps access-governance configuration in git.

  remit init       write a project to start from, on the embedded sandbox
  remit validate   check the manifests, offline
  remit plan       show what would change, and why
  remit apply      make it so

\`remit --help\` lists every command, \`remit COMMAND --help\` explains one.
`;
