import type { Tipping } from '../../src/tipping/tipping.ts'
import type { BotKeys, BotProcess } from './bot-process.ts'
import type { Chance } from './chance.ts'
import { type Reply, refused } from './network.ts'
import type { SimulatedRequest } from './simulated-http.ts'

/** A running bot that can receive a command. */
export interface RunningBot {
  readonly process: BotProcess
  readonly tipping: Tipping
}

/**
 * The bot's side: one process, or two on one machine and one book, if the book is on a server. Commands and callbacks
 * go to any running process; a fault of the machine or the book affects both processes.
 */
export class Bots {
  readonly all: readonly BotProcess[]
  readonly #first: BotProcess
  readonly #chance: Chance

  constructor(first: BotProcess, others: readonly BotProcess[], chance: Chance) {
    this.all = [first, ...others]
    this.#first = first
    this.#chance = chance
  }

  /** Resolves to any running bot as soon as at least one runs. */
  async anyUp(): Promise<RunningBot> {
    await Promise.race(this.all.map((process) => process.up()))
    return this.#any() ?? (await this.anyUp())
  }

  /** Resolves to any running bot's tipping. */
  async up(): Promise<Tipping> {
    return (await this.anyUp()).tipping
  }

  get running(): Tipping | undefined {
    return this.#any()?.tipping
  }

  /** All running bots. */
  get allRunning(): readonly Tipping[] {
    return this.all.flatMap(({ running }) => running ?? [])
  }

  /** Passes a callback to a running bot, as a balancer in front of several bots does. */
  async receive(request: SimulatedRequest): Promise<Reply> {
    const any = this.#any()
    if (any === undefined) throw refused()
    return await any.process.receive(request)
  }

  async start(): Promise<void> {
    for (const process of this.all) await process.start()
  }

  kill(): void {
    for (const process of this.all) process.kill()
  }

  /** Whether every bot is kept from starting. */
  set held(held: boolean) {
    for (const process of this.all) process.held = held
  }

  get keys(): BotKeys {
    return this.#first.keys
  }

  set keys(keys: BotKeys) {
    for (const process of this.all) process.keys = keys
  }

  async closeFiles(): Promise<void> {
    for (const process of this.all) await process.closeFiles()
  }

  get clock(): BotProcess['clock'] {
    return this.#first.clock
  }

  get furthestMs(): number {
    return this.#first.furthestMs
  }

  jumpClock(ms: number): void {
    for (const process of this.all) process.jumpClock(ms)
  }

  /**
   * Sets the clock of every process this far ahead of the world's time. Returns whether any of the clocks was ever
   * wrong.
   */
  setClock(aheadMs: number): boolean {
    return this.all.map((process) => process.setClock(aheadMs)).some((jumped) => jumped)
  }

  /** Confirms the clock of the machine, once for all processes, because the confirmation is in their book. */
  confirmClock(): Promise<void> {
    return this.#first.confirmClock()
  }

  #any(): RunningBot | undefined {
    const up = this.all.flatMap((process) =>
      process.running === undefined ? [] : [{ process, tipping: process.running }],
    )
    return up.length > 1 ? this.#chance.one(up) : up[0]
  }
}
