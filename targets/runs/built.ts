import type { Digest } from '../../cache/values/digest.ts'
import type { RunRecord } from '../record/record.ts'
import type { Target } from '../record/target.ts'

/** A target of a suite with the record that it led to. */
export interface Built {
  readonly suite: string
  readonly target: Target
  readonly record: RunRecord
  readonly digest: Digest<'record'>
}
