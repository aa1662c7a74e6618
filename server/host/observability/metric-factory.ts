import { Counter, Gauge, type Registry } from "prom-client";

/** Creates the metrics of one registry. */
export class MetricFactory {
  readonly #registers: Registry[];

  constructor(registry: Registry) {
    this.#registers = [registry];
  }

  counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: this.#registers });
  }

  gauge<Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: this.#registers });
  }

  /** `collect` sets the values each time that the metrics are read. */
  collectedGauge<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    collect: (gauge: Gauge<Label>) => void,
  ): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: this.#registers,
      collect() {
        // Chains that this replica no longer leads, and what is no longer known of a node, have no value.
        this.reset();
        collect(this);
      },
    });
  }
}
