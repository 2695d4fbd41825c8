import init from '@sqlite.org/sqlite-wasm'

/** Questions, in questions.csv, about the database in stays.sqlite. The built-in `ehr_sql` asks the net for its data. */
export const staysYaml = (name: string): string => `name: ${name}
display_name: Queries
description: Questions about a small database.
access: public
protocols:
  - version: '1'
    data:
      questions: {path: questions.csv, format: csv}
      database: {path: stays.sqlite, format: sqlite}
    instances:
      - from: questions
        split: test
        input: '{question}'
        references: [{text: '{query}', correct: true}]
    adapter: {method: generation, max_train_instances: 0, max_tokens: 100, stop_sequences: []}
    metrics: [ehr_sql]
    main_metric: {name: ehr_sql_execution_accuracy, split: test}
`

/** A table of stays of people of these ages. */
export const staysDatabase = async (ages: readonly number[]): Promise<Uint8Array> => {
  const { oo1, capi } = await init()
  const db = new oo1.DB()
  db.exec('create table stay(name text, age integer)')
  for (const age of ages) db.exec({ sql: 'insert into stay values (?, ?)', bind: [`p${age}`, age] })
  const bytes = capi.sqlite3_js_db_export(db)
  db.close()
  return bytes
}
