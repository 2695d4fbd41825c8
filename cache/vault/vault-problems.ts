import { ProblemError } from '../problems/problem.ts'

/** How to make a key, for every remedy that asks for one. */
const MAKE = 'node -e "console.log(crypto.randomBytes(32).toString(\'hex\'))"'

/** What to do where values of machines with other keys are met. */
export const SAME_KEY = 'use the same MEDMAKE_VAULT_KEY, or vault_key_file in medmake.yaml, on all machines'

export const badVaultKey = (origin: string): ProblemError =>
  new ProblemError({
    code: 'cache/bad-vault-key',
    message: `${origin} holds no key of 32 bytes`,
    where: { field: origin },
    remedy: `Write 64 hexadecimal digits or base64 of 32 bytes; \`${MAKE}\` makes one.`,
  })

/**
 * @param kept where the key would have been looked for
 * @param exists whether something was sealed with it
 */
export const noVaultKey = (
  folder: string,
  kept: string,
  { exists, cause }: { readonly exists: boolean; readonly cause: unknown },
): ProblemError =>
  new ProblemError(
    {
      code: 'cache/no-vault-key',
      message: `the key of the vault, which keeps texts of gated and private benchmarks, is not at hand: ${kept} can't be read`,
      where: { file: folder },
      remedy: exists
        ? 'Set MEDMAKE_VAULT_KEY, or vault_key_file in medmake.yaml, to the key it was made with. Where that is lost, move the vault away: its results are made anew.'
        : `There is no vault here yet. Take the key of the machines that share results with this one, or make one: \`${MAKE}\`. Put it into that file (then chmod 600), or into MEDMAKE_VAULT_KEY.`,
    },
    { cause },
  )

export const wrongVaultKey = (folder: string, origin: string): ProblemError =>
  new ProblemError({
    code: 'cache/wrong-vault-key',
    message: `the vault was made with another key than that of ${origin}`,
    where: { file: folder },
    remedy:
      'Nothing was changed. Set MEDMAKE_VAULT_KEY or vault_key_file to the key it was made with, or move the vault away to start another.',
  })

/** It is made for its owner's eyes: whoever else may not read it is not to be given the right. */
export const othersVault = (folder: string, cause: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'cache/not-your-vault',
      message: 'this user may not read the vault, which keeps texts of gated and private benchmarks',
      where: { file: folder },
      remedy:
        'It is for its owner alone: run this as that user, or name a store of your own (--store FOLDER).',
    },
    { cause },
  )

export const exposedVaultKey = (file: string): ProblemError =>
  new ProblemError({
    code: 'cache/exposed-vault-key',
    message: 'other users of this machine can read the key of the vault',
    where: { file },
    remedy: `Run \`chmod 600 ${file}\`.`,
  })
