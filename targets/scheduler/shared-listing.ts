import { overlayStore } from '../../cache/overlay-store.ts'
import { digestJson } from '../../cache/values/digest.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import type { StageEnv } from '../env/env.ts'
import { layered } from '../env/restricted-env.ts'
import type { Target } from '../record/target.ts'
import { listInstances } from '../stages/instances.ts'

/** Gives a plan an environment that has the target's instances, though the store lack them. */
export type Listing = (target: Target, key: JsonObject, env: StageEnv) => Promise<StageEnv>

/** Data that several targets in a row ask about is read once, and forgotten with the last of them. */
export const sharedListing = (): Listing => {
  let last: { readonly digest: string; readonly own: StageEnv['store']; readonly env: StageEnv } | undefined
  return async ({ spec: { benchmark } }, key, env) => {
    const digest = digestJson(key)
    if (last?.digest === digest && last.own === env.store) return { ...env, store: last.env.store }
    last = undefined
    const listed = layered(env, overlayStore)
    await listInstances(benchmark, key, listed)
    last = { digest, own: env.store, env: listed }
    return listed
  }
}
