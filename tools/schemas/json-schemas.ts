import { z } from 'zod'
import { FolderConfigFile } from '../../benchmarks/configurable/config-file.ts'
import { Float } from '../../benchmarks/python/numbers/number.ts'
import { DeclarationFile } from '../../benchmarks/declaration/schema.ts'
import { ModelsFile } from '../../models/registry/schema.ts'
import { ConfigFile } from '../session/workspace/config.ts'

const schemaOf = (schema: z.ZodType, title: string): object => {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    // As which numbers with a point are read; else it would be a value of any kind.
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.bag['Class'] === Float) jsonSchema.type = 'number'
    },
  })
  return { $schema, title, ...rest }
}

/**
 * JSON Schemas of the files that users write, by name, from the schemas that read them: editors complete and check by
 * them. A benchmark.yaml has a simple form and a full one, told apart by `protocols` or, where it can't be run, `needs`.
 */
export const jsonSchemas = (): Readonly<Record<string, object>> => ({
  benchmark: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'benchmark.yaml of medmake',
    if: { anyOf: [{ required: ['protocols'] }, { required: ['needs'] }] },
    // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's own word
    then: schemaOf(DeclarationFile, 'A benchmark in full'),
    else: schemaOf(FolderConfigFile, 'A benchmark in simple form'),
  },
  models: schemaOf(ModelsFile, 'models/*.yaml of medmake'),
  medmake: schemaOf(ConfigFile, 'medmake.yaml'),
})
