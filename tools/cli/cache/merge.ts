import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { DiskStore } from '../../../cache/disk-store.ts'
import { mergeValues, type MergeReport, type Replacing } from '../../../cache/merge/merge-values.ts'
import { SHARED, type RawValue } from '../../../cache/values/encoded.ts'
import { pushValues } from '../../../cache/tier/push-values.ts'
import { tierMarks, tierValues } from '../../../cache/tier/read-tier.ts'
import { openStore } from '../../../cache/open-store.ts'
import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { vaultFolder } from '../../../cache/store-folder.ts'
import { openVault, vaultExists, vaultMark, vaultRefusal } from '../../../cache/vault/open-vault.ts'
import { SAME_KEY } from '../../../cache/vault/vault-key.ts'
import { dropAllBuilds } from '../../../targets/record/trace.ts'
import { boolFlag } from '../flags.ts'
import { storeNote } from '../output/store-note.ts'
import type { Action, Invocation } from '../verb.ts'
import { dirsOf, placesOf, tierOf, usedTierOf, type Places } from './places.ts'
import { restrictedNames } from '../../session/tier/sealed.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { withSession } from '../with-session.ts'

interface Sum extends MergeReport {
  /** Bytes of segments that are no value, or of records that can't be read. */
  readonly damagedBytes: number
  /** Vaults that were left out: they were made with another key. */
  readonly otherKeys: number
  /** Vaults that could not be opened. */
  readonly leftOut: number
}

const NOTHING: Sum = {
  added: 0,
  known: 0,
  differing: 0,
  replaced: 0,
  damagedBytes: 0,
  otherKeys: 0,
  leftOut: 0,
}

const plus = (a: Sum, b: Partial<Sum>): Sum => {
  const sum: { -readonly [K in keyof Sum]: number } = { ...a }
  for (const key of Object.keys(a) as (keyof Sum)[]) sum[key] += b[key] ?? 0
  return sum
}

/** `medmake cache merge DIR…`: what other stores paid for. */
export const mergeAction: Action = async (invocation) => {
  const places = await placesOf(invocation)
  const sources = dirsOf(invocation, 'merge DIR').map((dir) => storeIn(resolve(invocation.cwd, dir)))
  if (sources.includes(places.store))
    throw new ProblemError({
      code: 'cache/same-store',
      message: 'a store can’t be merged into itself',
      where: { file: places.store },
      remedy: 'Name the folder of another store.',
    })
  let sum = NOTHING
  try {
    for (const source of sources) sum = plus(sum, await mergeStore(source, places))
  } catch (error) {
    // What came of those before it stays.
    if (sum.added > 0) tell(sum, invocation)
    await sealLocal(invocation)
    throw error
  }
  await sealLocal(invocation)
  return tell(sum, invocation)
}

const mergeStore = async (source: string, places: Places): Promise<Sum> => {
  const { invocation } = places
  const lost = new Lost(source)
  const mergeFrom =
    (from: DiskStore): Merging =>
    (store, replacing) =>
      mergeValues(store, from.values(SHARED, lost.add), replacing)
  const open = await withStore(source, invocation, (from) => intoStore(places, mergeFrom(from)))
  const sealed = await withVault(
    vaultFolder(source),
    invocation,
    async (from, mark) => (await intoVault(places, mark, mergeFrom(from))) ?? { otherKeys: 1 },
  )
  return plus(plus(plus(NOTHING, open), sealed ?? { leftOut: 1 }), { damagedBytes: lost.told(invocation) })
}

/** `medmake cache pull TIER`. */
export const pullAction: Action = async (invocation) => {
  const places = await placesOf(invocation)
  const tier = await usedTierOf(invocation)
  const lost = new Lost(tier.place)
  const values = (mark?: string): AsyncIterable<RawValue> =>
    tierValues(tier, {
      ...(mark === undefined ? {} : { mark }),
      onDamage: ({ bytes }) => lost.add(bytes),
    })
  let sum = NOTHING
  for (const mark of await tierMarks(tier)) {
    const merged = await intoVault(places, mark, (store, replacing) =>
      mergeValues(store, values(mark), replacing),
    )
    sum = plus(sum, merged ?? { otherKeys: 1 })
  }
  // What is here says nothing of the tier; sealed there already, it has come.
  if (existsSync(places.store)) await sealLocal(invocation)
  sum = plus(sum, await intoStore(places, (store, replacing) => mergeValues(store, values(), replacing)))
  const open = await sealLocal(invocation)
  const told = tell(plus(sum, { damagedBytes: lost.told(invocation) }), invocation)
  if (open.length === 0) return told
  invocation.warn(
    `replies of ${open.join(', ')} lie on the tier in the open: \`medmake cache seal ${tier.place}\` seals them there`,
  )
  return EXIT.incomplete
}

/** `medmake cache push TIER`. */
export const pushAction: Action = async (invocation) => {
  const { store, vault } = await placesOf(invocation)
  const { print, flags } = invocation
  const tier = await tierOf(invocation)
  if (existsSync(store)) await sealLocal(invocation)
  const lost = new Lost(store)
  const push = (from: DiskStore, mark?: string): Promise<number> =>
    pushValues(tier, mark, from.values(SHARED, lost.add))
  const open = await withStore(store, invocation, push)
  const sealed = await withVault(vault, invocation, async (from, mark) => ({
    added: await push(from, mark),
  }))
  const pushed = open + (sealed?.added ?? 0)
  if (boolFlag(flags, 'json')) print(JSON.stringify({ pushed, damagedBytes: lost.bytes }))
  else print(`${pushed} values pushed to ${tier.place}`)
  return lost.told(invocation) > 0 || sealed === undefined ? EXIT.incomplete : EXIT.done
}

/** What of a store, its vault counted in, or of a tier could not be read: it would be paid for again unsaid. */
class Lost {
  readonly #place: string
  bytes = 0

  constructor(place: string) {
    this.#place = place
  }

  readonly add = (bytes: number): void => {
    this.bytes += bytes
  }

  told({ warn }: Invocation): number {
    if (this.bytes > 0) warn(`${this.bytes} bytes of segments are damaged and were left out: ${this.#place}`)
    return this.bytes
  }
}

/** A workspace stands for its store. */
const storeIn = (folder: string): string => {
  const inside = join(folder, 'cache', 'store')
  return !existsSync(join(folder, 'values')) && existsSync(inside) ? inside : folder
}

const openToRead = (path: string, { warn }: Invocation): Promise<DiskStore> =>
  openStore({
    path,
    readOnly: true,
    // Damaged values are told of together.
    onEvent: (event) => event.type !== 'store-corrupt-record' && warn(storeNote(event)),
  })

const withStore = async <T>(
  path: string,
  invocation: Invocation,
  use: (store: DiskStore) => Promise<T>,
): Promise<T> => {
  const store = await openToRead(path, invocation)
  return use(store).finally(() => store.close())
}

/** Nothing where there is none; undefined where it can't be opened, which is told. */
const withVault = async (
  folder: string,
  invocation: Invocation,
  use: (store: DiskStore, mark: string | undefined) => Promise<Partial<Sum>>,
): Promise<Partial<Sum> | undefined> => {
  if (!vaultExists(folder)) return {}
  let [mark, store]: [string?, DiskStore?] = []
  try {
    const refusal = vaultRefusal(folder)
    if (refusal !== undefined) throw refusal
    mark = vaultMark(folder)
    store = await openToRead(folder, invocation)
  } catch (error) {
    return leaveOut(error, invocation)
  }
  return use(store, mark).finally(() => store.close())
}

/** Says why the vault is. @throws the error where it is no problem */
export const leaveOut = (error: unknown, { warn }: Pick<Invocation, 'warn'>): undefined => {
  if (!(error instanceof ProblemError)) throw error
  for (const { message, where, remedy } of error.problems)
    warn(`what lies in the vault was left out: ${message} (${where?.file}). ${remedy}`)
}

type Merging = (store: DiskStore, replacing: Replacing) => Promise<MergeReport>

/** What was made from a reply that gives way is made again from the one that counts: those that read it must be done. */
const intoStore = async (
  { store: path, invocation }: Pick<Places, 'store' | 'invocation'>,
  use: Merging,
  dropBuilds: (store: DiskStore) => Promise<void> = dropAllBuilds,
): Promise<MergeReport> => {
  const store = await openStore({ path, onEvent: (event) => invocation.warn(storeNote(event)) })
  try {
    return await use(store, (write) =>
      store.exclusively(async () => {
        await dropBuilds(store)
        await write()
      }),
    )
  } finally {
    await store.close()
  }
}

/** What is sealed goes as it is where the key is the same; undefined where it is not. */
const intoVault = async (
  { store, vault, invocation, origin }: Places,
  mark: string | undefined,
  use: Merging,
): Promise<MergeReport | undefined> => {
  // Starts one where there is none, with this machine's key.
  if (!vaultExists(vault))
    await (await openVault({ folder: vault, origin, readOnly: false, onEvent: () => undefined })).close()
  if (mark === undefined || vaultMark(vault) !== mark) return undefined
  // Builds are noted in the store, wherever their replies lie.
  return intoStore({ store: vault, invocation }, use, () => dropBuildsOf(store))
}

const dropBuildsOf = async (path: string): Promise<void> => {
  const store = await openStore({ path, onEvent: () => undefined })
  await dropAllBuilds(store).finally(() => store.close())
}

const tell = (sum: Sum, { print, warn, flags }: Invocation): ExitCode => {
  if (boolFlag(flags, 'json')) print(JSON.stringify(sum))
  else {
    print(`${sum.added} values added, ${sum.known} were there`)
    if (sum.differing > 0)
      print(
        `${sum.differing} values differ, of calls that were paid for, or sealed, twice: of each one counts, the same everywhere (${sum.replaced} replaced here; runs are built again at no call)`,
      )
  }
  if (sum.otherKeys > 0) warn(`a vault made with another key was left out: ${SAME_KEY}`)
  return sum.damagedBytes + sum.otherKeys + sum.leftOut > 0 ? EXIT.incomplete : EXIT.done
}

/** Brings into the vault what came into the store in the open and is not public here; the benchmarks of which anything did. */
const sealLocal = async (invocation: Invocation): Promise<readonly string[]> => {
  const workspace = await findWorkspace(invocation.cwd)
  const restricted = await restrictedNames(workspace.root)
  return withSession(
    { ...invocation, args: [] },
    { workspace },
    async ({ sealOpen }) => (await sealOpen?.(restricted)) ?? [],
  )
}
