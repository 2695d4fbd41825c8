/**
 * Arguments of a run entry as a reader would say them: `condition=chronic_pain,max_eval_instances=100` → `chronic pain`.
 * How many instances were asked for tells no two parts of a benchmark apart.
 */
export const argumentsText = (given: string): string => {
  const parts = given.split(',').filter((part) => !part.startsWith('max_eval_instances='))
  const words = parts.map((part) => {
    const [key = '', ...rest] = part.split('=')
    const value = rest.join('=')
    return /^[\d.]*$/.test(value) ? `${key} ${value}`.trim() : value
  })
  return words.join(', ').replaceAll('_', ' ') || given
}
