import type { Calculator } from '../calculator.ts'
import { drawPerson } from '../person.ts'

/** Points from 0 to 12.5; heart rate in beats a minute. */
export const wellsPulmonaryEmbolism = (patient: {
  legSigns: boolean
  mostLikely: boolean
  heartRate: number
  immobile: boolean
  previous: boolean
  haemoptysis: boolean
  cancer: boolean
}): number =>
  3 * Number(patient.legSigns) +
  3 * Number(patient.mostLikely) +
  1.5 * Number(patient.heartRate > 100) +
  1.5 * Number(patient.immobile) +
  1.5 * Number(patient.previous) +
  Number(patient.haemoptysis) +
  Number(patient.cancer)

export const wellsPulmonaryEmbolismCalculator: Calculator = {
  id: 'wells_pulmonary_embolism',
  name: 'Wells score for pulmonary embolism',
  citation: 'Wells PS, Anderson DR, Rodger M, et al. Thromb Haemost 2000;83:416-420',
  question: 'How many points is the Wells score for pulmonary embolism? Give one decimal.',
  decimals: 1,
  draw: (draw) => {
    const { who, Who, He } = drawPerson(draw, 26, 80)
    const heartRate = draw.pick([78, 88, 94, 108, 116, 124])
    const findings = {
      legSigns: draw.coin(),
      mostLikely: draw.coin(),
      immobile: draw.coin(),
      previous: draw.coin(),
      haemoptysis: draw.coin(),
      cancer: draw.coin(),
    }
    const leg = findings.legSigns ? 'one calf is swollen and tender' : 'both legs look normal'
    const past = [
      findings.immobile ? 'hip surgery two weeks ago' : 'no recent surgery or immobilisation',
      findings.previous ? 'a previous deep vein thrombosis' : 'no previous thrombosis or embolism',
      findings.cancer ? 'cancer under treatment' : 'no cancer',
    ].join(', ')
    const blood = findings.haemoptysis ? 'coughs up blood' : 'does not cough up blood'
    const view = findings.mostLikely
      ? 'No other diagnosis is as likely as pulmonary embolism.'
      : 'Pneumonia is more likely than pulmonary embolism.'
    return {
      value: wellsPulmonaryEmbolism({ heartRate, ...findings }),
      vignettes: [
        `${Who} is short of breath and ${blood}. Heart rate is ${heartRate} per minute; ${leg}. History: ${past}. ${view}`,
        `Sudden chest pain brings ${who} to hospital. On examination ${leg}, and the heart rate is ${heartRate} per minute. ${He} ${blood}. The record shows ${past}. ${view}`,
        `${Who} feels breathless on the stairs. The history includes ${past}. ${He} ${blood}. The pulse is ${heartRate} per minute and ${leg}. ${view}`,
      ],
    }
  },
}
