/** `pubmed_qa:model=a_b,x=1` → `pubmed_qa:x=1` */
export const scenarioOf = (run: string): string => {
  const colon = run.indexOf(':')
  const separator = colon === -1 ? run.indexOf(',') : colon
  if (separator === -1) return run
  const kept = run
    .slice(separator + 1)
    .split(',')
    .filter((part) => !part.startsWith('model=') && !part.startsWith('model_deployment='))
  const name = run.slice(0, separator)
  return kept.length === 0 ? name : `${name}:${kept.join(',')}`
}
