import type { Problem } from '../../../cache/problems/problem.ts'
import type { Schema, SchemaField } from './schema.ts'

const SPLITS: ReadonlySet<string> = new Set(['test', 'valid', '__all__'])

const isTemplate = (text: string): boolean => text.includes('${')

type Report = (field: string, message: string, remedy: string) => void

const checkNames = (kind: string, fields: readonly SchemaField[], report: Report): void => {
  const seen = new Set<string>()
  for (const { name } of fields) {
    if (name.trim() === '') report(kind, `An entry of ${kind} has no name.`, 'Give it a name.')
    else if (seen.has(name)) {
      report(
        `${kind}.${name}`,
        `${kind} has ${name} more than once; the last one counts.`,
        'Remove the others.',
      )
    }
    seen.add(name)
  }
}

const names = (fields: readonly SchemaField[]): ReadonlySet<string> => new Set(fields.map(({ name }) => name))

const checkMetricGroups = (schema: Schema, report: Report): void => {
  const metrics = names(schema.metrics)
  const perturbations = names(schema.perturbations)
  for (const group of schema.metricGroups) {
    for (const { name, split, perturbationName } of group.metrics) {
      const place = `metric_groups.${group.name}`
      if (!isTemplate(name) && !metrics.has(name))
        report(
          place,
          `Metric ${name} of group ${group.name} is not in metrics; its columns are left out.`,
          `Add ${name} to metrics.`,
        )
      if (!isTemplate(split) && !SPLITS.has(split))
        report(place, `Split ${split} of metric ${name} is none.`, 'Write test, valid or __all__.')
      if (perturbationName === undefined || isTemplate(perturbationName)) continue
      if (!perturbationName.startsWith('__') && !perturbations.has(perturbationName))
        report(
          place,
          `Perturbation ${perturbationName} is not in perturbations.`,
          `Add ${perturbationName} to perturbations.`,
        )
    }
  }
}

const checkRunGroups = (schema: Schema, report: Report): void => {
  const metricGroups = names(schema.metricGroups)
  const runGroups = names(schema.runGroups)
  for (const group of schema.runGroups) {
    const place = `run_groups.${group.name}`
    for (const name of group.metricGroups) {
      if (!metricGroups.has(name))
        report(place, `Metric group ${name} is not in metric_groups.`, `Add ${name} to metric_groups.`)
    }
    for (const name of group.subgroups) {
      if (!runGroups.has(name))
        report(place, `Sub-group ${name} is not in run_groups.`, `Add ${name} to run_groups.`)
    }
  }
}

const checkCycles = (schema: Schema, report: Report): void => {
  const children = new Map(schema.runGroups.map((group) => [group.name, group.subgroups]))
  const finished = new Set<string>()
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) {
      const cycle = [...path.slice(path.indexOf(name)), name].join(' → ')
      report(`run_groups.${name}`, `Run group ${name} is its own sub-group: ${cycle}.`, 'Break the circle.')
      return
    }
    if (finished.has(name)) return
    for (const child of children.get(name) ?? []) visit(child, [...path, name])
    finished.add(name)
  }
  for (const name of children.keys()) visit(name, [])
}

/** What is wrong with a schema although it reads well (HELM.md T22). */
export const checkSchema = (schema: Schema, file: string): readonly Problem[] => {
  const problems: Problem[] = []
  const report: Report = (field, message, remedy) =>
    problems.push({ code: 'targets/inconsistent-schema', message, where: { file, field }, remedy })
  checkNames('metrics', schema.metrics, report)
  checkNames('perturbations', schema.perturbations, report)
  checkNames('metric_groups', schema.metricGroups, report)
  checkNames('run_groups', schema.runGroups, report)
  checkMetricGroups(schema, report)
  checkRunGroups(schema, report)
  checkCycles(schema, report)
  return problems
}
