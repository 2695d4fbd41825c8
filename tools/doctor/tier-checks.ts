import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { holdsOtherKeys } from '../../cache/tier/read-tier.ts'
import type { Tier } from '../../cache/tier/tier.ts'
import { SAME_KEY } from '../../cache/vault/vault-key.ts'
import { fine, note, problemChecks, trouble, type DoctorCheck } from './check.ts'

const FOLDER = 'doctor'
const RACERS = 16
const APPENDS = 10
const BYTES = 2000

/**
 * Tries on a tier what its users rest on: names that only one can make, bytes that are there once they are said to be,
 * names that show. What it writes is small and stays below `doctor/`, for the other machines to see.
 * @param mark of this machine's vault key, where it has one
 */
export const tierChecks = async (tier: Tier, mark?: string): Promise<readonly DoctorCheck[]> => {
  const own = `${FOLDER}/${hostname().replaceAll(/[^\w-]/g, '-')}-${randomUUID()}`
  try {
    return [
      await exclusiveCheck(tier, `${own}-race.json`),
      await appendCheck(tier, `${own}-log`),
      await machinesCheck(tier),
      ...((await holdsOtherKeys(tier, mark)) ? [OTHER_KEY] : []),
    ]
  } catch (error) {
    return problemChecks('tier', error)
  }
}

/** No fault where several share a tier and no replies. */
const OTHER_KEY = note(
  'tier: vault key',
  'it holds replies sealed with another vault key than the one here: their calls would be asked and paid for again',
  `To share them, ${SAME_KEY}.`,
)

const OTHER = 'Take another file system or bucket: on this one two tasks could both be sure of one name.'

const exclusiveCheck = async (tier: Tier, name: string): Promise<DoctorCheck> => {
  const made = await Promise.all(Array.from({ length: RACERS }, (_, n) => tier.create(name, `${n}`)))
  const text = (await tier.read(name))?.toString('utf8')
  const isListed = (await tier.list(FOLDER)).some((file) => file.name === name)
  if (made.filter(Boolean).length !== 1 || text !== String(made.indexOf(true)))
    return trouble('tier: names', 'several can make one name, or lose what it held', OTHER)
  if (!isListed) return trouble('tier: names', 'a name that was made is not listed', OTHER)
  await tier.beat(name)
  return fine('tier: names', `of ${RACERS} who made one name at once one did, and it is listed`)
}

const appendCheck = async (tier: Tier, base: string): Promise<DoctorCheck> => {
  const writer = tier.writer(base)
  const times: number[] = []
  let wanted = 0
  for (let n = 0; n < APPENDS; n += 1) {
    const start = performance.now()
    await writer.append(Buffer.alloc(BYTES, n))
    times.push(performance.now() - start)
    wanted += BYTES
  }
  await writer.close()
  let found = 0
  for (const { name } of await tier.list(FOLDER))
    if (name.startsWith(base)) found += (await tier.read(name))?.length ?? 0
  const median = (times.sort((a, b) => a - b)[APPENDS >> 1] ?? 0).toFixed(1)
  return found === wanted
    ? fine('tier: appends', `2 kB are there to stay after ${median} ms (median of ${APPENDS})`)
    : trouble('tier: appends', `${wanted} bytes were appended and synced, ${found} can be read`, OTHER)
}

const machinesCheck = async (tier: Tier): Promise<DoctorCheck> => {
  const files = await tier.list(FOLDER)
  const hosts = new Set(files.flatMap(({ name }) => /^doctor\/(.+?)-[0-9a-f]{8}-/.exec(name)?.[1] ?? []))
  const text = `probes of ${[...hosts].sort().join(', ')} are seen here`
  return hosts.size > 1
    ? fine('tier: machines', text)
    : note('tier: machines', text, 'Run `medmake doctor --tier …` on another machine, too: it must see both.')
}
