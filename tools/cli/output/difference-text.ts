import type { Json } from '../../../cache/values/json.ts'
import type { Difference } from '../../../targets/scheduler/explain.ts'

/** `completions.temperature 0 → 0.7` */
export const differenceText = ({ path, before, after }: Difference): string =>
  `${path} ${valueText(before)} → ${valueText(after)}`

const LONGEST = 72

/** A digest's first letters tell it apart. */
const valueText = (value: Json | undefined): string => {
  if (value === undefined) return '(none)'
  const text = JSON.stringify(value).replaceAll(/[0-9a-f]{64}/g, (digest) => `${digest.slice(0, 12)}…`)
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}…` : text
}
