import { str } from '../../../benchmarks/python/numbers/number.ts'
import { badValue, entryOf, withAdapter, withCommaSuffix, withSuffix, type Expander } from './expander.ts'

const STOPS: Readonly<Record<string, string>> = { hash: '###', semicolon: ';', br: '<br>' }
const NEWLINES: Readonly<Record<string, string>> = { semicolon: ';\n', br: '<br>\n' }
const PREFIXES: Readonly<Record<string, string>> = { nlg: '[NLG]' }

const named = (table: Readonly<Record<string, string>>, key: string, value: string, where: object): string =>
  entryOf(table, value) ?? badValue(key, value, Object.keys(table).join(' or '), where)

/** Expanders over texts of the adapter spec (HELM.md T5), by key. */
export const TEXT_EXPANDERS: Readonly<Record<string, Expander>> = {
  eval_split: (spec, value) => [
    withAdapter(spec, { evalSplits: [str(value)] }, withSuffix(spec.name, 'eval_split', value)),
  ],
  stop: (spec, value, { where }) => {
    const name = withCommaSuffix(spec.name, 'stop', value)
    if (value === 'none') return [withAdapter(spec, { stopSequences: [] }, name)]
    const stop = named(STOPS, 'stop', str(value), where)
    return [withAdapter(spec, { stopSequences: [stop], instancePrefix: `${stop}\n\n` }, name)]
  },
  add_to_stop: (spec, value) => [
    withAdapter(spec, {
      stopSequences: [...spec.adapter.stopSequences, value === 'newline' ? '\n' : str(value)],
    }),
  ],
  newline: (spec, value, { where }) => [
    withAdapter(
      spec,
      {
        substitutions: [
          ...spec.adapter.substitutions,
          { source: '\n', target: named(NEWLINES, 'newline', str(value), where) },
        ],
      },
      withCommaSuffix(spec.name, 'newline', value),
    ),
  ],
  global_prefix: (spec, value, { where }) => [
    withAdapter(
      spec,
      { globalPrefix: named(PREFIXES, 'global_prefix', str(value), where) },
      withCommaSuffix(spec.name, 'global_prefix', value),
    ),
  ],
  format_prompt: (spec, value) => [withAdapter(spec, { inputPrefix: str(value), outputPrefix: '' })],
}
