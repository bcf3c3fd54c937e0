/** A command's result. */
export interface Outcome {
  readonly name: string
  readonly command: string
  readonly code: number
  readonly seconds: number
  /** The command's whole output. */
  readonly said: string
}

/** Lines with figures, as the programs and Vitest print them at the end. */
const FIGURES = [
  /^\d[\d,]* seeds?, .*/,
  /^\s*(?:Test Files|Tests) .*/,
  /^\d+ s, \d+ kills.*/,
  /^Acknowledged .*/,
  /.*\bmoves in .*/,
  /.*\b(?:acknowledged|readings)\b.*/,
  /^Not a msat .*/,
  /^Nothing lost.*/,
  /^\d+ of \d+ .*/,
  /.*\ba second\b.*/,
]
const MAX_FIGURES = 12
const LAST_LINES = 40

/**
 * Returns a run's report as Markdown: a table of all results, then the figures, then the last output of each failed
 * command.
 */
export function describeReport(outcomes: readonly Outcome[], run: { began: Date; machine: string }): string {
  const failed = outcomes.filter(({ code }) => code !== 0)
  const parts = [
    '# Proof\n',
    `Begun ${run.began.toISOString().slice(0, 16).replace('T', ' ')} UTC on ${run.machine}. ${
      failed.length === 0 ? 'Nothing failed.' : `Failed: ${failed.map(({ name }) => name).join(', ')}.`
    }\n`,
    '| | Command | Seconds | Result |\n|---|---|---|---|',
    ...outcomes.map(({ name, command, code, seconds }) => {
      return `| ${name} | \`${command}\` | ${seconds} | ${code === 0 ? 'passed' : `**failed (${code})**`} |`
    }),
    '\n## Figures\n',
    ...outcomes.map(({ name, said }) => `### ${name}\n\n${block(figuresOf(said))}`),
    ...(failed.length === 0 ? [] : ['\n## What failed\n']),
    ...failed.map(({ name, said }) => `### ${name}\n\n${block(linesOf(said).slice(-LAST_LINES))}`),
  ]
  return `${parts.join('\n')}\n`
}

function figuresOf(said: string): string[] {
  return linesOf(said)
    .filter((line) => FIGURES.some((figure) => figure.test(line)))
    .map((line) => line.trim())
    .slice(-MAX_FIGURES)
}

function linesOf(said: string): string[] {
  // Progress bars overwrite themselves.
  return said.split('\n').map((line) => line.split('\r').at(-1) ?? '')
}

function block(lines: readonly string[]): string {
  return ['```', ...lines, '```\n'].join('\n')
}
