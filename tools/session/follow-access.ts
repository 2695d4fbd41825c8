import { remembered } from '../../cache/once.ts'
import { collectGarbage, type Reachable } from '../../cache/collect-garbage.ts'
import { DiskStore } from '../../cache/disk-store.ts'
import { innerStore } from '../../cache/tier/tiered-store.ts'
import { isMapping, type Json } from '../../cache/values/json.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { Store, StoreTable } from '../../cache/store.ts'
import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import { putBatch, readBatches, removeBatch, type SentLine } from '../../targets/batch/collect-batch.ts'
import type { Listener } from '../../targets/event.ts'
import { getRecord } from '../../targets/record/record.ts'
import { recordedPlaces } from '../../targets/record/recorded-places.ts'
import { finishedBuilds, lastBuildId, readLastBuild, type FinishedBuild } from '../../targets/record/trace.ts'
import { readLedger, type PlacedEntry } from '../../targets/spend/ledger.ts'
import { forgetUnpaid, isUnpaid, unpaidReplies } from '../../targets/record/unpaid-reply.ts'
import { isPointNames, pointNames } from '../../targets/stages/metrics.ts'
import { isDiskFull, type SessionVault } from './session-keeping.ts'
import { importsOfOthers, moveNote, openImports, vaultImports } from './stores/noted-imports.ts'

/** Brings a run's texts to where its benchmark's access has them, after that was changed. */
export type FollowAccess = (run: {
  readonly name: string
  readonly benchmark: Pick<Benchmark, 'name' | 'access'>
}) => Promise<void>

/**
 * The last build of a run lies in the open where its benchmark was public, else in the vault: so it tells what the
 * access was. What it and earlier ones stand on is moved, and they are forgotten: the next run makes the record again of
 * what is there, at no call, as the other access has it.
 */
const createFollowAccess = (
  store: Store,
  vault: SessionVault,
  listener: Listener,
  sealOpen: SealOpen,
): FollowAccess => {
  let told: Promise<ReadonlySet<string>> | undefined
  let paidSealed: Promise<ReadonlySet<string>> | undefined
  /** Targets of which batches in the vault have requests. */
  let sentSealed: Set<string> | undefined
  let swept: Promise<boolean> | undefined
  /** What a run left that was killed before it paid: once a session, and of a benchmark once since it was public. */
  const sweepFor = async (benchmark: string): Promise<void> => {
    const known = sweptOf(store)
    if (!known.includes(benchmark) && (await (swept ??= sweep(store))))
      await keepNote(store, SWEPT, [...known, benchmark].sort())
  }
  return async ({ name, benchmark: { name: benchmark, access } }) => {
    const isOpen = store.has('traces', lastBuildId(name))
    if (access !== 'public') {
      if (isOpen) {
        const values = await moveRun(name, benchmark, { from: store, to: await vault.store(), open: store })
        listener({ type: 'access-followed', target: name, access, values, erased: await erase(store) })
        told = undefined
        paidSealed = undefined
        sentSealed = undefined
      }
      // What came from elsewhere, or was never built.
      const isTold = (await (told ??= toldIn(store))).has(benchmark)
      const isLeft = isTold || (await importedIn(store, benchmark, vault)).length > 0
      if (isLeft) {
        await sealOpen(new Set([benchmark]))
        told = undefined
      }
      if (isOpen || isLeft || (await withKey(vault))?.has('traces', lastBuildId(name)) !== true)
        await sweepFor(benchmark)
      return
    }
    const known = sweptOf(store)
    const others = known.filter((each) => each !== benchmark)
    if (others.length < known.length) await store.put('files', SWEPT, others)
    if (!isOpen && vault.exists()) {
      const imported = await vaultImports(benchmark, store, () => vault.store())
      if (imported.length > 0) {
        const from = await vault.store()
        const values = await move(placesOf(imported), { from, to: store }, 'texts')
        await moveNote(benchmark, imported, { open: store, vault: from, isPublic: true })
        listener({ type: 'access-followed', target: name, access, values, erased: true })
      }
      const sealed = await withKey(vault)
      if (sealed === undefined) return
      // One that was moved there and not built since has no build.
      const isPaid =
        (await (paidSealed ??= paidIn(sealed))).has(benchmark) &&
        !ledgerOf(({ target }) => target === name, sealed).next().done
      sentSealed ??= sentIn(sealed)
      if (!isPaid && !sentSealed.has(name) && !sealed.has('traces', lastBuildId(name))) return
      const values = await moveRun(name, benchmark, { from: sealed, to: store, open: store })
      sentSealed.delete(name)
      listener({ type: 'access-followed', target: name, access, values, erased: true })
    }
  }
}

/** Of the ledger as it was when so many entries were in it. */
const NOTE = 'open-ledger'

/** Names of private benchmarks of which nothing is left in the open. */
const SWEPT = 'swept'

/** What is not noted is found out again: `cache gc`, which makes room, must not end for it. */
const keepNote = (store: Store, id: string, value: Json): Promise<void> =>
  store.put('files', id, value).catch((error: unknown) => {
    if (!isDiskFull(error)) throw error
  })

const sweptOf = (store: Store): readonly string[] => (store.get('files', SWEPT) ?? []) as readonly string[]

/** Benchmarks of which replies lie in the open store. */
const toldIn = async (store: Store): Promise<ReadonlySet<string>> =>
  new Set([...(await paidIn(store)), ...unpaidReplies(store).keys()])

/** Benchmarks of which paid replies lie in a store. Its ledger is read when it has grown. */
const paidIn = async (store: Store): Promise<ReadonlySet<string>> => {
  const entries = [...store.entries('ledger')].length
  const note = store.get('files', NOTE) as
    | { readonly entries: number; readonly benchmarks: string[] }
    | undefined
  if (note?.entries === entries) return new Set(note.benchmarks)
  const benchmarks = [...new Set(Array.from(readLedger(store), (entry) => entry.benchmark))].sort()
  await keepNote(store, NOTE, { entries, benchmarks })
  return new Set(benchmarks)
}

/** Brings into the vault what was paid for, or imported, of benchmarks by these names and lies in the open; those of which anything did. */
export type SealOpen = (benchmarks: ReadonlySet<string>) => Promise<readonly string[]>

/**
 * What came from elsewhere lies in the open where it was public there. What it was built into here goes with the next run.
 */
const createSealOpen =
  (store: Store, vault: SessionVault, listener: Listener): SealOpen =>
  async (benchmarks) => {
    const found = new Map<string, Map<string, Place>>()
    for (const { id, completion, entry } of ledgerOf(({ benchmark }) => benchmarks.has(benchmark), store)) {
      const places = remembered(found, entry.benchmark, () => new Map<string, Place>())
      for (const table of ['ledger', 'completions'] as const)
        places.set(`${table} ${id}`, [table, table === 'ledger' ? id : completion])
    }
    const imported: [name: string, ids: readonly string[]][] = []
    for (const name of benchmarks) imported.push([name, await importedIn(store, name, vault)])
    const unpaid = [...unpaidReplies(store)].filter(([name]) => benchmarks.has(name))
    const left = unpaid.map(
      ([name, ids]) => [name, ids.filter((id) => store.has('completions', id))] as const,
    )
    for (const [name, ids] of [...imported, ...left, [UNPAID, await unpaidBack(store, vault)] as const])
      if (ids.length > 0) found.set(name, new Map([...(found.get(name) ?? []), ...placesOf(ids)]))
    const forgetNotes = async (): Promise<void> => {
      for (const [name, ids] of unpaid) await inBatches(ids, (id) => forgetUnpaid(name, id, store))
    }
    if (found.size === 0) {
      await forgetNotes()
      return []
    }
    const moves = { from: store, to: await vault.store() }
    const moved = new Map<string, number>()
    for (const [name, places] of found)
      moved.set(name, await move(places, moves, heldByOthers(places, benchmarks, store)))
    for (const [name, ids] of imported)
      if (ids.length > 0) await moveNote(name, ids, { open: store, vault: moves.to, isPublic: false })
    await forgetNotes()
    const erased = await erase(store)
    for (const [target, values] of moved)
      if (target !== UNPAID) listener({ type: 'access-followed', target, access: 'private', values, erased })
    return [...moved.keys()].sort()
  }

/** In a benchmark's place: which one's nothing tells. */
const UNPAID = 'models in this process'

/** What the vault has, and was brought to the open again from elsewhere, where no note tells of it. */
const unpaidBack = async (store: Store, vault: SessionVault): Promise<readonly string[]> => {
  const sealed = vault.exists() ? await withKey(vault) : undefined
  if (sealed === undefined) return []
  const paid = new Set([...store.entries('ledger')].map(({ id }) => id.split(':')[1]))
  const ids = [...store.entries('completions')].map(({ id }) => id)
  const back = ids.filter((id) => !paid.has(id) && sealed.has('completions', id) && isUnpaid(id, store))
  const held = back.length === 0 ? undefined : heldByOthers(placesOf(back), new Set(), store)
  return back.filter((id) => held?.has(`completions ${id}`) === false)
}

export const accessMoves = (
  ...parts: Parameters<typeof createSealOpen>
): { readonly followAccess: FollowAccess; readonly sealOpen: SealOpen } => {
  const sealOpen = createSealOpen(...parts)
  return { followAccess: createFollowAccess(...parts, sealOpen), sealOpen }
}

/** Of a benchmark that is not public: what of its imports lies in the open, as before, or brought there again from elsewhere. */
const importedIn = async (
  store: Store,
  benchmark: string,
  vault: SessionVault,
): Promise<readonly string[]> => {
  const noted = await vaultImports(benchmark, store, () => vault.store())
  const back = noted.filter((id) => store.has('completions', id))
  const held = back.length === 0 ? undefined : heldByOthers(placesOf(back), new Set([benchmark]), store)
  return [...openImports(benchmark, store), ...back.filter((id) => held?.has(`completions ${id}`) === false)]
}

/** Without its key the vault says nothing of what is in it, and a public run needs nothing of it. */
const withKey = (vault: SessionVault): Promise<Store | undefined> =>
  vault.store().catch((error: unknown) => {
    if (error instanceof ProblemError) return undefined
    throw error
  })

/** Removed values lie in the files until these are written anew, which takes that nobody else has them open. */
const erase = async (store: Store): Promise<boolean> =>
  aloneWith(store, (disk) => disk.compact({ leastUnused: 0 }))

/**
 * What no build names, as of a run that was killed or of judges that were probed, does not tell whose it is: it goes, and is
 * made again of the replies. Those stay, as they may have been paid for: the ledger, or a note, tells whose they are.
 */
const sweep = async (store: Store): Promise<boolean> =>
  aloneWith(store, async (disk) => {
    const swept = await disk.exclusively(() => collectGarbage(disk, namedIn(store), { dryRun: false }))
    if (swept.some(({ removed }) => removed > 0)) await disk.compact({ leastUnused: 0 })
  })

const aloneWith = async (store: Store, work: (disk: DiskStore) => Promise<unknown>): Promise<boolean> => {
  const disk = innerStore(store)
  if (!(disk instanceof DiskStore)) return false
  try {
    await work(disk)
    return true
  } catch (error) {
    if (error instanceof ProblemError) return false
    throw error
  }
}

const namedIn = (store: Store): Reachable => {
  const named = new Map<StoreTable, Set<string>>([
    ['instances', new Set()],
    ['prompts', new Set()],
    ['annotations', new Set()],
    ['metrics', new Set(pointNames(store))],
  ])
  for (const { digest } of finishedBuilds(store))
    for (const { tables, id } of recordedPlaces(digest, { records: store, texts: store }))
      for (const table of tables) named.get(table)?.add(id)
  return named
}

interface Move {
  readonly from: Store
  readonly to: Store
  /** Where records and traces lie, whatever the access. */
  readonly open: Store
}

type Place = readonly [table: StoreTable, id: string]

const placesOf = (completions: readonly string[]): ReadonlyMap<string, Place> =>
  new Map(completions.map((id) => [`completions ${id}`, ['completions', id]]))

const AT_ONCE = 500

/** Of the judges' replies the ledger tells. @returns how many values were moved */
const moveRun = async (name: string, benchmark: string, { from, to, open }: Move): Promise<number> => {
  const builds = [...buildsOf(name, open)]
  const places = new Map<string, Place>()
  const add = (table: StoreTable, id: string | undefined): void => {
    if (id !== undefined) places.set(`${table} ${id}`, [table, id])
  }
  const recorded = builds.flatMap(({ digest }) => [...recordedPlaces(digest, { records: open, texts: from })])
  for (const { tables, id } of recorded) for (const table of tables) add(table, id)
  if (recorded.length > 0) for (const id of pointNames(from)) add('metrics', id)
  for (const { id, completion } of ledgerOf(({ target }) => target === name, from)) {
    add('ledger', id)
    add('completions', completion)
  }
  const stay = to === open ? 'texts' : heldByOthers(places, new Set([benchmark]), open)
  const moved = await move(places, { from, to }, stay)
  await moveSent(name, { from, to })
  await forget(name, builds, { from, open })
  return moved
}

/**
 * @param stay what is not taken away by it: some of the places, or all texts, as what leaves the vault may be another
 * private run's, too
 * @returns how many of the values were there
 */
const move = async (
  places: ReadonlyMap<string, Place>,
  { from, to }: Omit<Move, 'open'>,
  stay: ReadonlySet<string> | 'texts',
): Promise<number> => {
  const moved = [...places].filter(([, [table, id]]) => from.has(table, id))
  await inBatches(moved, async ([, [table, id]]) => {
    const value = from.get(table, id)
    if (value !== undefined && !to.has(table, id)) await to.put(table, id, value)
  })
  // Names of metrics are shared by all runs.
  const own = moved.filter(([place, [table, id]]) =>
    stay === 'texts' ? table === 'ledger' : !stay.has(place) && (table !== 'metrics' || !isPointNames(id)),
  )
  await inBatches(own, ([, [table, id]]) => from.remove(table, id))
  await from.remove('files', NOTE)
  return moved.length
}

const sentIn = (store: Store): Set<string> =>
  new Set(readBatches(store).flatMap(({ lines }) => lines.map(({ ledger }) => ledger.target)))

/** Of requests that a batch has: on each side it is collected for its own. */
const moveSent = async (name: string, { from, to }: Omit<Move, 'open'>): Promise<void> => {
  const there = new Map(readBatches(to).map(({ marker, lines }) => [marker, lines]))
  const isOwn = ({ ledger }: SentLine): boolean => ledger.target === name
  for (const batch of readBatches(from)) {
    const [own, others] = [batch.lines.filter(isOwn), batch.lines.filter((line) => !isOwn(line))]
    if (own.length === 0) continue
    // Whoever was killed in its midst has them there already.
    const lines = [...(there.get(batch.marker) ?? []).filter((line) => !isOwn(line)), ...own]
    const part = batch.part === true || others.length > 0
    await putBatch({ ...batch, part, lines }, to)
    await (others.length === 0 ? removeBatch(batch, from) : putBatch({ ...batch, part, lines: others }, from))
  }
}

/** Places on which a run of another benchmark stands that lies in the open, or what was imported of it: they hold its texts as well. */
const heldByOthers = (
  places: ReadonlyMap<string, Place>,
  benchmarks: ReadonlySet<string>,
  open: Store,
): ReadonlySet<string> => {
  const unpaid = [...unpaidReplies(open)].flatMap(([name, ids]) => (benchmarks.has(name) ? [] : ids))
  const held = new Set([...importsOfOthers(benchmarks, open), ...unpaid].map((id) => `completions ${id}`))
  for (const { digest } of finishedBuilds(open)) {
    const name = getRecord(digest, open)?.name
    const { instances } = (name === undefined ? undefined : readLastBuild(name, open)?.key) ?? {}
    const of = isMapping(instances) ? instances['benchmark'] : undefined
    if (typeof of !== 'string' || benchmarks.has(of)) continue
    for (const { tables, id } of recordedPlaces(digest, { records: open, texts: open }))
      for (const table of tables) if (places.has(`${table} ${id}`)) held.add(`${table} ${id}`)
  }
  return held
}

/** Lists of instances, their values, digests of answers and what boards tell of single ones or few go too: they are made again. */
const forget = async (
  name: string,
  builds: readonly FinishedBuild[],
  { from, open }: Pick<Move, 'from' | 'open'>,
): Promise<void> => {
  const notes = [...from.entries('files')]
    .map(({ id }) => id)
    .filter((id) => /^(?:ids|sample|answers|judges|subgroups):/.test(id))
  await inBatches(notes, (id) => from.remove('files', id))
  await inBatches(builds, ({ id }) => open.remove('traces', id))
  await inBatches(builds, ({ digest }) => open.remove('records', digest))
  await from.remove('traces', lastBuildId(name))
}

function* buildsOf(name: string, open: Store): Generator<FinishedBuild> {
  for (const build of finishedBuilds(open)) if (getRecord(build.digest, open)?.name === name) yield build
}

interface Paid {
  readonly id: string
  readonly completion: string
  readonly entry: PlacedEntry
}

function* ledgerOf(isOwn: (entry: PlacedEntry) => boolean, from: Store): Generator<Paid> {
  const ids = new Map<string, string[]>()
  for (const { id } of from.entries('ledger')) {
    const completion = id.split(':')[1] ?? ''
    ids.set(completion, [...(ids.get(completion) ?? []), id])
  }
  for (const entry of readLedger(from)) {
    const { completion } = entry
    if (isOwn(entry)) for (const id of ids.get(completion) ?? []) yield { id, completion, entry }
  }
}

const inBatches = async <T>(all: readonly T[], each: (item: T) => Promise<void>): Promise<void> => {
  for (let from = 0; from < all.length; from += AT_ONCE)
    await Promise.all(all.slice(from, from + AT_ONCE).map(each))
}
