import { expect, test } from 'vitest'
import { memoryStore } from '../../../cache/memory-store.ts'
import { envFor, keepingFor, type Keeping, type SharedEnv, type StageEnv } from '../../../targets/env/env.ts'
import { createAsker } from '../../../targets/stages/ask.ts'
import { listInstances } from '../../../targets/stages/instances.ts'

const keeping = { open: { store: memoryStore() }, vault: { store: memoryStore() } }
let opened = 0
const shared = {
  records: keeping.open.store,
  open: keeping.open,
  restricted: async () => {
    opened += 1
    return keeping.vault
  },
} as unknown as SharedEnv

test('texts that are not public are kept in the vault, which public ones do not open', async () => {
  expect((await keepingFor({ access: 'public' }, shared)).store).toBe(keeping.open.store)
  expect(opened).toBe(0)
  for (const access of ['gated', 'private'] as const) {
    expect((await keepingFor({ access }, shared)).store).toBe(keeping.vault.store)
    const env = await envFor({ access }, shared)
    expect(env.store).toBe(keeping.vault.store)
    // No stage can reach where the others' texts are.
    expect(Object.keys(env)).toEqual(['store'])
  }
})

/** Compiled, never called: what the types must refuse. */
export const refused = (
  deployment: Parameters<typeof createAsker>[0],
  run: Parameters<typeof createAsker>[1],
  env: StageEnv,
): void => {
  // @ts-expect-error -- the shared environment keeps no texts
  createAsker(deployment, run, shared)
  // @ts-expect-error -- nor does one with a store that nobody chose for the benchmark
  createAsker(deployment, run, { ...shared, store: shared.records })
  // @ts-expect-error -- nor may a chosen store be swapped for another
  createAsker(deployment, run, { ...env, store: shared.records })
  // @ts-expect-error -- nor the encoder, which keeps embeddings of texts
  createAsker(deployment, run, { ...env, bertScorer: bertScorerOf(shared.open) })
  // @ts-expect-error -- a store alone does not say whose it is
  void listInstances(run.benchmark, {}, { store: shared.records })
}

const bertScorerOf = ({ bertScorer }: Keeping): NonNullable<Keeping['bertScorer']> =>
  bertScorer ?? (() => Promise.reject(new TypeError('none')))
