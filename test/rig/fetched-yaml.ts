/** A benchmark whose rows are fetched from `NAME.csv` of a server on this machine, as `benchmark.yaml`. */
export const fetchedYaml = (name: string, port: number): string => `name: ${name}
display_name: d
description: d
access: public
protocols:
  - version: '1'
    data: {rows: {url: "http://127.0.0.1:${port}/${name}.csv", format: csv}}
    instances: [{from: rows, split: test, input: '{note}', references: []}]
    adapter: {method: generation, max_train_instances: 0, max_tokens: 5, stop_sequences: []}
    metrics: [exact_match]
    main_metric: {name: exact_match, split: test}
`
