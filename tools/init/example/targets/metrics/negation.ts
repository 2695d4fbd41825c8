const DENIAL = /\b(?:no|not|without|denies|never|free of)\b/i

/** Terms that a text affirms: in a clause that holds no denial. */
export const affirmed = (text: string, terms: readonly string[]): readonly string[] => {
  const clauses = text
    .toLowerCase()
    .split(/[.;,]|\bbut\b/)
    .filter((clause) => !DENIAL.test(clause))
  return terms.filter((term) => clauses.some((clause) => clause.includes(term.toLowerCase())))
}
