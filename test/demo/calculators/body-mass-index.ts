import type { Calculator } from '../calculator.ts'
import { drawPerson } from '../person.ts'

/** kg/m²; weight in kg, height in cm. */
export const bodyMassIndex = (weight: number, height: number): number => weight / (height / 100) ** 2

export const bodyMassIndexCalculator: Calculator = {
  id: 'body_mass_index',
  name: 'Body mass index',
  citation: 'World Health Organization. WHO Technical Report Series 894. Geneva: WHO; 2000',
  question: 'What is the body mass index in kg/m²? Give one decimal.',
  decimals: 1,
  draw: (draw) => {
    const { who, Who, He, his } = drawPerson(draw, 20, 75)
    const height = draw.whole(152, 193)
    const weight = draw.whole(50, 128)
    return {
      value: bodyMassIndex(weight, height),
      vignettes: [
        `${Who} has a health check for a new job. Height is ${height} cm and weight ${weight} kg.`,
        `At a pre-operative visit the nurse records ${weight} kg and ${height} cm for ${who}.`,
        `${Who} asks whether ${his} weight is healthy. ${He} is ${height} cm tall and weighs ${weight} kg.`,
      ],
    }
  },
}
