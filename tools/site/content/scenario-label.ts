import { visibleText } from '../visible-text.ts'

/** A benchmark's name, with the arguments that a run of it was given: `MedDialog (icliniq)` of `med_dialog,subset=icliniq`. */
export const scenarioLabel = (displayName: string, scenario: string): string => {
  const [, given] = /^[^:,]*[:,](.+)$/.exec(scenario) ?? []
  return visibleText(given === undefined ? displayName : `${displayName} (${argumentsText(given)})`)
}

/**
 * Arguments of a run entry as a reader would say them: `condition=chronic_pain,max_eval_instances=100` → `chronic pain`.
 * How many instances were asked for tells no two parts of a benchmark apart.
 */
const argumentsText = (given: string): string => {
  const parts = given.split(',').filter((part) => !part.startsWith('max_eval_instances='))
  const words = parts.map((part) => {
    const [key = '', ...rest] = part.split('=')
    const value = rest.join('=')
    return /^[\d.]*$/.test(value) ? `${key} ${value}`.trim() : value
  })
  return words.join(', ').replaceAll('_', ' ') || given
}
