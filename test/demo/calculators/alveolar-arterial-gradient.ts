import type { Calculator } from '../calculator.ts'
import { drawPerson } from '../person.ts'

/** mm Hg at sea level (760 mm Hg, water vapour 47, respiratory quotient 0.8); gases in mm Hg, oxygen as a fraction. */
export const alveolarArterialGradient = (oxygenFraction: number, paCo2: number, paO2: number): number =>
  oxygenFraction * (760 - 47) - paCo2 / 0.8 - paO2

export const alveolarArterialGradientCalculator: Calculator = {
  id: 'alveolar_arterial_gradient',
  name: 'Alveolar–arterial oxygen gradient',
  citation: 'Fenn WO, Rahn H, Otis AB. Am J Physiol 1946;146:637-653',
  question:
    'What is the alveolar–arterial oxygen gradient in mm Hg at sea level, with 760 mm Hg of air, 47 mm Hg of water vapour and a respiratory quotient of 0.8? Give a whole number.',
  decimals: 0,
  draw: (draw, index) => {
    const { who, Who, His } = drawPerson(draw, 22, 79)
    const roomAir = index % 3 !== 2
    const paCo2 = draw.whole(26, 54)
    const paO2 = roomAir ? draw.whole(52, 72) : draw.whole(58, 96)
    return {
      value: alveolarArterialGradient(roomAir ? 0.21 : 0.4, paCo2, paO2),
      vignettes: [
        `${Who} is breathless. On room air (oxygen fraction 0.21) the arterial blood gas shows PaO2 ${paO2} mm Hg and PaCO2 ${paCo2} mm Hg.`,
        `After an overdose of opioids, ${who} breathes room air (oxygen fraction 0.21). PaCO2 is ${paCo2} mm Hg, PaO2 ${paO2} mm Hg.`,
        `${Who} with pneumonia wears a mask that delivers an oxygen fraction of 0.40. ${His} PaO2 is ${paO2} mm Hg and PaCO2 ${paCo2} mm Hg.`,
      ],
    }
  },
}
