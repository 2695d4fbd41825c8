import { str } from '../python/numbers/number.ts'
import { isTruthy } from '../python/truth.ts'
import { fillText, type Placeholders } from './fill.ts'
import type { Protocol } from './schema.ts'
/** Where the sources of each line of HELM are shown. */
const SOURCES: Readonly<Record<string, string>> = {
  'medhelm-0.8': 'https://github.com/PacificAI/medhelm/blob/main/src/',
}
const HELM_SOURCES = 'https://github.com/stanford-crfm/helm/blob/main/src/'

/** `definition_path` of scenario.json: the module of a HELM class (HELM.md B5). */
export const definitionPath = (className: string, protocol: string): string =>
  `${SOURCES[protocol] ?? HELM_SOURCES}${className.split('.').slice(0, -1).join('/')}.py`

/** Start of a run's name: HELM's, with the flags that are on, as in `sct_bench:reason=True,few_shot=True`, or our own. */
export const runNameOf = (
  name: string,
  { helm, arguments: declared }: Protocol,
  placeholders: Placeholders,
): string => {
  if (helm === undefined) return ownRunName(name, declared, placeholders)
  const start = fillText(helm.run_name ?? name, placeholders)
  const flags = helm.run_name_flags.filter((flag) => isTruthy(placeholders.get(flag) ?? null))
  return flags.length === 0 ? start : `${start}:${flags.map((flag) => `${flag}=True`).join(',')}`
}

/** With the arguments that are not their defaults: what is asked otherwise is another run. */
const ownRunName = (name: string, declared: Protocol['arguments'], placeholders: Placeholders): string => {
  const given = Object.entries(declared).flatMap(([key, { kind, default: usual }]) => {
    const value = placeholders.get(key)
    const isUsual = value === undefined || (usual !== undefined && str(value) === str(usual))
    return kind !== 'value' || isUsual ? [] : [`${key}=${str(value)}`]
  })
  return given.length === 0 ? name : `${name}:${given.join(',')}`
}
