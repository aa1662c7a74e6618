/** The files of server/deploy/ pass the linters of their formats, and agree with the host and with each other. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readSettings } from "../../../server/base/config/read.ts";
import { stopMaxMs } from "../../../server/host/stop-deadline.ts";
import { root } from "../../support/docs.ts";
import { findProgram } from "../../support/helper-program.ts";
import { folder } from "../../support/program.ts";

const run = promisify(execFile);
const deploy = join(root, "server/deploy");
const textOf = (name: string): string => readFileSync(join(deploy, name), "utf8");

/** A program of test/server/deploy/requirements.txt. */
function findLinter(name: string): string | undefined {
  const path = fileURLToPath(new URL(`.venv/bin/${name}`, import.meta.url));
  return existsSync(path) ? path : findProgram(name);
}

const hadolint = findLinter("hadolint");
const kubernetesValidate = findLinter("kubernetes-validate");
const haproxy = findProgram("haproxy");
const systemdAnalyze = findProgram("systemd-analyze");

test.skipIf(hadolint === undefined)("hadolint has nothing to say about the Dockerfile", async () => {
  expect(await run(hadolint ?? "", [join(deploy, "Dockerfile")])).toEqual({ stdout: "", stderr: "" });
});

test.skipIf(kubernetesValidate === undefined)("Kubernetes accepts the manifests", async () => {
  const manifests = join(deploy, "kubernetes.yaml");
  await run(kubernetesValidate ?? "", ["--strict", manifests]);
  // A mistake is found.
  using wrong = folder({
    "wrong.yaml": textOf("kubernetes.yaml").replace("maxUnavailable: 1", "maxAway: 1"),
  });
  await expect(run(kubernetesValidate ?? "", ["--strict", join(wrong.path, "wrong.yaml")])).rejects.toThrow();
});

test.skipIf(systemdAnalyze === undefined)("systemd accepts the unit, and rates it as protected", async () => {
  using units = folder({});
  const unit = join(units.path, "platform.service");
  // Node may be elsewhere on this machine.
  writeFileSync(unit, textOf("platform.service").replace("/usr/bin/node", process.execPath));
  const verified = await run(systemdAnalyze ?? "", ["verify", "--man=no", unit]);
  expect(verified.stderr).toBe("");
  // Out of 100; a unit without protection has 96.
  await run(systemdAnalyze ?? "", ["security", "--offline=true", "--threshold=20", "--no-pager", unit]);
});

/** The most that a host with the configuration takes to stop, in seconds. */
async function stopMaxSeconds(): Promise<number> {
  const { config, faults } = await readSettings({ config: join(deploy, "platform.config.yaml") }, {});
  expect(faults).toEqual([]);
  expect(config.stopDelaySeconds).toBeGreaterThan(0);
  return stopMaxMs(config) / 1_000;
}

test("the unit and the containers give a host the time to stop", async () => {
  const seconds = await stopMaxSeconds();
  const named = {
    "platform.service": /^TimeoutStopSec=(\d+)$/m,
    "compose.yaml": /^ {2}stop_grace_period: (\d+)s$/m,
    "kubernetes.yaml": /^ +terminationGracePeriodSeconds: (\d+)$/m,
  };
  for (const [name, pattern] of Object.entries(named))
    expect([name, Number(pattern.exec(textOf(name))?.[1])]).toEqual([name, seconds + 5]);
});

interface Service {
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
  readonly build?: { readonly context: string; readonly dockerfile: string };
}

test("compose.yaml names files and services that exist, and waits only for services with health checks", () => {
  const { services } = parse(textOf("compose.yaml"), { merge: true }) as {
    services: Readonly<Record<string, Service>>;
  };
  expect(Object.keys(services)).toEqual(["platform-1", "platform-2", "proxy", "database", "redis"]);
  for (const { volumes = [], depends_on = {}, build } of Object.values(services)) {
    const mounted = volumes
      .map((volume) => volume.split(":")[0] ?? "")
      .filter((path) => path.startsWith("."));
    expect(mounted.filter((path) => !existsSync(join(deploy, path)))).toEqual([]);
    for (const name of Object.keys(depends_on)) expect(services[name]?.healthcheck, name).toBeDefined();
    if (build !== undefined) expect(existsSync(join(deploy, build.context, build.dockerfile))).toBe(true);
  }
});

interface Manifest {
  readonly kind: string;
  readonly spec: {
    readonly selector: { readonly matchLabels?: object };
    readonly template: { readonly metadata: { readonly labels: object }; readonly spec: PodSpec };
    readonly ports: readonly { readonly targetPort: string }[];
  };
}

interface PodSpec {
  readonly containers: readonly [
    {
      readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
      readonly volumeMounts: readonly { readonly mountPath: string }[];
    },
  ];
}

test("the manifests select their pods, and use the ports and the folder of the image", () => {
  const manifests = parseAllDocuments(textOf("kubernetes.yaml")).map((each) => each.toJS() as Manifest);
  const kinds = Object.fromEntries(manifests.map(({ kind, spec }) => [kind, spec]));
  expect(Object.keys(kinds)).toEqual(["Deployment", "Service", "PodDisruptionBudget"]);
  const { Deployment, Service, PodDisruptionBudget } = kinds;
  const labels = Deployment?.template.metadata.labels;
  expect(Deployment?.selector.matchLabels).toEqual(labels);
  expect(Service?.selector).toEqual(labels);
  expect(PodDisruptionBudget?.selector.matchLabels).toEqual(labels);
  const [container] = Deployment?.template.spec.containers ?? [];
  const [, api, admin] = /^EXPOSE (\d+) (\d+)$/m.exec(textOf("Dockerfile")) ?? [];
  expect(container?.ports).toEqual([
    { name: "api", containerPort: Number(api) },
    { name: "admin", containerPort: Number(admin) },
  ]);
  expect(Service?.ports.map(({ targetPort }) => targetPort)).toEqual(["api"]);
  const [, workdir] = /^WORKDIR (.*)$/m.exec(textOf("Dockerfile").split("\nFROM ").at(-1) ?? "") ?? [];
  expect(container?.volumeMounts.map(({ mountPath }) => mountPath)).toEqual([
    `${workdir}/platform.config.yaml`,
  ]);
});

test.skipIf(haproxy === undefined)(
  "HAProxy looks for containers, and takes other addresses as given",
  async () => {
    const check = async (replica: string, env: NodeJS.ProcessEnv): Promise<boolean> => {
      using files = folder({ "haproxy.cfg": textOf("haproxy.cfg").replaceAll(/platform-[12]/g, replica) });
      try {
        await run(haproxy ?? "", ["-c", "-f", join(files.path, "haproxy.cfg")], { env });
        return true;
      } catch (err) {
        expect(String(err)).toContain("could not resolve address");
        return false;
      }
    };
    const { proxy } = parse(textOf("compose.yaml")).services;
    expect(await check("localhost", {})).toBe(true);
    expect(await check("not-started.invalid", {})).toBe(false);
    expect(await check("not-started.invalid", proxy.environment)).toBe(true);
  },
);

test.each(["nginx.conf", "haproxy.cfg"])(
  "%s lists the methods that take effect twice if repeated",
  (name) => {
    const { services } = JSON.parse(readFileSync(join(root, "generated/schema.webrpc.json"), "utf8")) as {
      services: readonly {
        name: string;
        methods: readonly { name: string; annotations: Readonly<Record<string, object>> }[];
      }[];
    };
    const once = services.flatMap((service) =>
      service.methods
        .filter(({ annotations }) => annotations["idempotent"] === undefined)
        .map((method) => `${service.name}/${method.name}`),
    );
    const [, service, methods = ""] = /\/rpc\/(\w+)\/\((.*)\)\$/.exec(textOf(name)) ?? [];
    expect(methods.split("|").map((method) => `${service}/${method}`)).toEqual(once);
  },
);
