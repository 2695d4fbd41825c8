import { expect, test } from 'vitest'
import { predictedQuery } from '../../../targets/sql/annotate-queries.ts'

test.each([
  ['  select 1 ', 'select 1'],
  ['```sql\nselect 1\n```', 'select 1'],
  ['Here:\n< SQL >\nselect 1\n</ sql > done', 'select 1'],
  ['<sql>a<sql> b <sql>c</sql>', 'a'],
  ['<ſql>select 1</sql>', 'select 1'],
  ['select\nsql\n1', 'select\n1'],
  ['select\rsql\n1', 'select\rsql\n1'],
  ['`', ''],
  ['<sql></sql> select 1', ''],
])('takes the query out of %j as HELM does', (answer, query) => {
  expect(predictedQuery(answer)).toBe(query)
})
