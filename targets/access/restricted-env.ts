import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import type { StageEnv } from '../stages/env.ts'

/** As much of an environment as says where texts are kept. */
export type StoreEnv = Pick<StageEnv, 'store' | 'restricted'>

/**
 * What the stages of one target see: for a gated or private benchmark the environment whose store keeps texts in the
 * vault. It is opened when the first such target has work to do.
 */
export const envFor = async <Env extends StoreEnv>(
  { access }: Pick<Benchmark, 'access'>,
  env: Env,
): Promise<Omit<Env, 'restricted'> & Pick<StageEnv, 'store'>> => {
  const { restricted, ...shared } = env
  return access === 'public' || restricted === undefined ? env : { ...shared, ...(await restricted()) }
}

/** Texts that may not lie in the open must not reach a stage that would leave them there. */
export const requireVault = ({ access }: Pick<Benchmark, 'access'>, env: StageEnv): void => {
  if (access !== 'public' && env.restricted !== undefined)
    throw new TypeError(`${access} texts were about to be kept outside of the vault`)
}
