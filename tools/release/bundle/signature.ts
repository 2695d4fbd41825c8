import { createReadStream, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { readFileSync } from '../../../cache/files/read.ts'
import { temporaryFolder } from '../../../cache/files/write.ts'
import { ProblemError, type Problem } from '../../../cache/problems/problem.ts'
import { RELEASE_FILE } from '../release-file.ts'

/** Beside release.json, whose digests cover every other file of a bundle. */
export const SIGNATURE_FILE = `${RELEASE_FILE}.sig`

/** What a signature is for, so that one made for something else is worth nothing here. */
export const NAMESPACE = 'medmake-release'

/**
 * Signs a bundle's release.json with an SSH key, or the public half of one that an agent holds.
 * @throws ProblemError `release/not-signed`
 */
export const signBundle = async (bundle: string, key: string): Promise<void> => {
  const args = ['-Y', 'sign', '-q', '-f', key, '-n', NAMESPACE, join(bundle, RELEASE_FILE)]
  const { failed, stderr } = await sshKeygen(args)
  if (!failed && existsSync(join(bundle, SIGNATURE_FILE))) return
  throw new ProblemError({
    code: 'release/not-signed',
    message: `ssh-keygen can't sign with ${key}: ${lastLine(stderr)}`,
    where: { field: '--sign', file: key },
    remedy: 'Name a private SSH key, or a public one whose private half is in the agent.',
  })
}

/** Who signed, or why that is not to be believed. */
type Signer =
  | { readonly principal: string; readonly problems: readonly [] }
  | { readonly principal?: undefined; readonly problems: readonly Problem[] }

/** Holds a bundle's signature against a file of allowed signers, in the form of `ssh-keygen`. */
export const signerOf = async (bundle: string, signers: string): Promise<Signer> => {
  const signature = join(bundle, SIGNATURE_FILE)
  if (!existsSync(signature)) return refused(signers, `the release has no ${SIGNATURE_FILE}`)
  const whole = await heldAgainst(bundle, signers)
  if (typeof whole !== 'string') return whole
  // ssh-keygen names the first line of a key alone, which may be for something else than a later one.
  const temporary = temporaryFolder('signers')
  try {
    for (const line of readFileSync(signers, 'utf8').split('\n')) {
      writeFileSync(join(temporary, 'line'), `${line}\n`)
      const found = await heldAgainst(bundle, join(temporary, 'line'))
      if (typeof found !== 'string') return found
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
  return refused(signers, whole)
}

/** Who signed by the first line that has the key, or why that is not to be believed. */
const heldAgainst = async (bundle: string, signers: string): Promise<Signer | string> => {
  const signature = join(bundle, SIGNATURE_FILE)
  const found = await sshKeygen(['-Y', 'find-principals', '-s', signature, '-f', signers])
  const principal = found.stdout.split('\n')[0] ?? ''
  if (principal === '') return `its signature is none of the allowed signers': ${lastLine(found.stderr)}`
  const checked = await sshKeygen(
    ['-Y', 'verify', '-q', '-f', signers, '-I', principal, '-n', NAMESPACE, '-s', signature],
    join(bundle, RELEASE_FILE),
  )
  if (checked.failed) return `its signature does not fit: ${lastLine(checked.stderr)}`
  return { principal, problems: [] }
}

const refused = (signers: string, message: string): Signer => ({
  problems: [
    {
      code: 'release/bad-signature',
      message,
      where: { file: signers, field: '--signers' },
      remedy: 'Do not trust the release, or name the file of its publisher’s keys.',
    },
  ],
})

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''

interface Ended {
  readonly failed: boolean
  readonly stdout: string
  readonly stderr: string
}

/** @throws ProblemError `release/no-ssh-keygen` */
const sshKeygen = async (args: readonly string[], input?: string): Promise<Ended> => {
  const ended = await execa('ssh-keygen', args, {
    reject: false,
    ...(input === undefined ? { stdin: 'ignore' } : { input: createReadStream(input) }),
  })
  if (ended.code !== 'ENOENT')
    return { failed: ended.failed, stdout: ended.stdout, stderr: ended.stderr || ended.stdout }
  throw new ProblemError({
    code: 'release/no-ssh-keygen',
    message: 'there is no ssh-keygen on this machine',
    remedy: 'Install OpenSSH (8.9 or newer): signatures of releases are made and checked by it.',
  })
}
