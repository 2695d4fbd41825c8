const SECRET_NAMES = /(?:_API_KEY|_TOKEN|_SECRET|_PASSWORD)$|^(?:MEDMAKE_VAULT_KEY|HELM_CREDENTIALS)$/

/** Shorter values turn up in texts by chance. */
const SHORTEST = 8

/** Makes the last look at what is printed: keys and tokens of the environment become `[NAME]`. */
export const secretHider = (
  env: Readonly<Record<string, string | undefined>>,
): ((text: string) => string) => {
  const secrets = Object.entries(env)
    .filter(
      (entry): entry is [string, string] =>
        SECRET_NAMES.test(entry[0]) && (entry[1] ?? '').length >= SHORTEST,
    )
    .sort(([, a], [, b]) => b.length - a.length)
  return (text) => secrets.reduce((shown, [name, secret]) => shown.replaceAll(secret, `[${name}]`), text)
}
