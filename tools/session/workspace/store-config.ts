import { z } from 'zod'

const DEFAULT_PATH = 'cache/store'
/** Less than a scheduler takes to start a lost node's work elsewhere: Slurm's own timeouts add up to 7 minutes. */
const DEFAULT_LEASE = 60

const Parts = z.strictObject({
  path: z.string().default(DEFAULT_PATH),
  tier: z.string().optional(),
  lease_seconds: z.number().positive().default(DEFAULT_LEASE),
})

/** Where results are kept: a folder of this machine, and what it shares with others. */
export const StoreConfig = z
  .union([z.string().transform((path) => Parts.parse({ path })), Parts])
  .prefault(DEFAULT_PATH)
  .describe(
    'The store of all results, on a disk of this machine; the vault lies beside it. --store and MEDMAKE_STORE win. With `tier`, a folder that several machines reach or s3://bucket/prefix, what they paid for is shared; a task that lost it begins no call after lease_seconds: { path: cache/store, tier: /project/evals, lease_seconds: 60 }.',
  )
