import type { Calculator } from '../calculator.ts'
import { drawPerson } from '../person.ts'

/** Points from 0 to 4. */
export const centor = (patient: {
  exudate: boolean
  nodes: boolean
  fever: boolean
  cough: boolean
}): number => Number(patient.exudate) + Number(patient.nodes) + Number(patient.fever) + Number(!patient.cough)

export const centorCalculator: Calculator = {
  id: 'centor',
  name: 'Centor score',
  citation: 'Centor RM, Witherspoon JM, Dalton HP, et al. Med Decis Making 1981;1:239-246',
  question:
    'How many points is the original Centor score, without the age term? Give a whole number from 0 to 4.',
  decimals: 0,
  draw: (draw) => {
    const { who, Who, He } = drawPerson(draw, 18, 44)
    const findings = { exudate: draw.coin(), nodes: draw.coin(), fever: draw.coin(), cough: draw.coin() }
    const tonsils = findings.exudate ? 'white exudate on the tonsils' : 'red tonsils without exudate'
    const nodes = findings.nodes ? 'tender anterior cervical nodes' : 'no tender neck nodes'
    const fever = findings.fever ? 'a temperature of 38.9 °C' : 'no fever now or before'
    const cough = findings.cough ? 'coughs' : 'does not cough'
    return {
      value: centor(findings),
      vignettes: [
        `${Who} has had a sore throat for two days and ${cough}. There are ${tonsils}, ${nodes} and ${fever}.`,
        `Sore throat since yesterday brings ${who} to the walk-in clinic. Findings: ${fever}, ${nodes}, ${tonsils}. ${He} ${cough}.`,
        `${Who} finds swallowing painful. ${He} ${cough}. The nurse notes ${nodes}, ${tonsils} and ${fever}.`,
      ],
    }
  },
}
