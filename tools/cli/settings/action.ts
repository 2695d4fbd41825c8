import { join } from 'node:path'
import { readFile } from '../../../cache/files/read.ts'
import { packageRoot } from '../../../cache/package-root.ts'
import { EXIT } from '../../../cache/problems/problem.ts'
import { wrapped } from '../../../cache/words/tables.ts'
import { boolFlag } from '../flags.ts'
import type { Action } from '../verb.ts'
import type { Json } from '../../../cache/values/json.ts'

/** `medmake settings`: all of medmake.yaml, from what the build made of the schema that reads it. */
export const settingsAction: Action = async ({ flags, print }) => {
  const schema = await readFile(join(packageRoot(), 'dist/schemas/medmake.schema.json'), 'utf8')
  if (boolFlag(flags, 'json')) print(schema.trimEnd())
  else
    print(
      `# Every setting of medmake.yaml. Flags win over it; paths are relative to its folder.\n\n${settingsText(JSON.parse(schema) as SettingSchema)}`,
    )
  return EXIT.done
}

export interface SettingSchema {
  readonly description?: string
  readonly examples?: readonly Json[]
  readonly default?: Json
  readonly properties?: Readonly<Record<string, SettingSchema>>
}

const WIDTH = 110

/**
 * Every setting as YAML: what it is, and its default; what has none stands behind # with an example. Take that away
 * to set it; what is said of a setting has a space behind its mark.
 */
export const settingsText = ({ properties = {} }: SettingSchema): string =>
  Object.entries(properties)
    .map(([name, schema]) => settingLines(name, schema, '').join('\n'))
    .join('\n\n')

const settingLines = (name: string, schema: SettingSchema, indent: string): readonly string[] => {
  const { description = '', properties, examples, default: value } = schema
  const about = wrapped(description.split(' '), ' ', WIDTH - indent.length).map(
    (line) => `${indent}# ${line}`,
  )
  if (properties !== undefined && examples === undefined)
    return [
      ...about,
      `#${indent}${name}:`,
      ...Object.entries(properties).flatMap(([key, each]) =>
        settingLines(key, each, `${indent}  `).map((line) => (line.startsWith('#') ? line : `#${line}`)),
      ),
    ]
  const example = examples?.[0]
  return [
    ...about,
    example === undefined ? `${indent}${name}: ${scalar(value)}` : `#${indent}${name}: ${scalar(example)}`,
  ]
}

const scalar = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null)
