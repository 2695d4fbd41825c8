declare module '@pushcorn/hocon-parser' {
  const parse: (options: { text: string; strict?: boolean }) => Promise<unknown>
  export default parse
}
