import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { loadInMemory } from "../../../../generator/verify/in-memory/load.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { folder, ridlkit } from "../../../support/program.ts";
import { clinic, clinicServer, token } from "./clinic.ts";

type Served = Awaited<ReturnType<typeof serve>>;

async function serve(schema = clinic, { handlers, guard } = clinicServer()) {
  const { result, diagnostics } = compile("clinic.ridl", memoryReader({ "clinic.ridl": schema }));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join());
  const live = await loadInMemory({ ...result, int64: "bigint" });
  const guards = [
    (call: Parameters<typeof guard>[0]) =>
      guard({ method: call.method, errors: call.errors, header: (name) => call.header(name) }),
  ];
  const called = new Set<string>();
  const onResponse = ({ method }: { readonly method: { readonly service: string; readonly name: string } }) =>
    called.add(`${method.service}.${method.name}`);
  const http = createServer(live.nodeListener(live.createServer(handlers, { guards, onResponse })));
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
  const dir = folder({
    "clinic.ridl": schema,
    "numbers.json": JSON.stringify({ schemas: [{ entry: "clinic.ridl" }] }),
    "ridlkit.config.json": JSON.stringify({ schemas: [{ entry: "clinic.ridl", int64: "bigint" }] }),
  });
  return {
    /** The methods that were called. */
    called: () => called,
    run: (...args: string[]) =>
      ridlkit(
        [
          "test",
          "--url",
          `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
          "--header",
          `Authorization: ${token}`,
          ...args,
        ],
        { cwd: dir.path },
      ),
    async [Symbol.asyncDispose]() {
      dir[Symbol.dispose]();
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
    },
  };
}

interface Report {
  readonly ok: boolean;
  readonly findings: readonly { readonly rule: string; readonly method: string; readonly text: string }[];
  readonly unreached: readonly { readonly method: string; readonly reason: string; readonly help: string }[];
  readonly onlyErrors: readonly { readonly method: string }[];
}

async function reportOf(server: Served, ...args: string[]): Promise<Report> {
  const { out, err } = await server.run("--format", "json", ...args);
  expect(err).toBe("");
  return JSON.parse(out) as Report;
}

const passed = { ok: true, findings: [], unreached: [], onlyErrors: [] };

test("a correct product has no findings, and each method succeeds but the log-in, whose password is unknown", async () => {
  await using server = await serve();
  expect(await reportOf(server)).toMatchObject({ ...passed, onlyErrors: [{ method: "Auth.Login" }] });
});

test("the log-in succeeds with the examples of the schema", async () => {
  const request = `struct Login
  - email: string
    + example = ann@clinic.test
  - password: string
    + example = secret

struct LoggedIn
  - token: string
  - user: User

service Auth`;
  await using server = await serve(
    clinic
      .replace("service Auth", request)
      .replace(
        "Login(email: string, password: string) => (token: string, user: User)",
        "Login(Login) => (LoggedIn)",
      ),
  );
  expect(await reportOf(server)).toMatchObject(passed);
});

test("an error that no method lists is a normal response of a public method, too", async () => {
  await using server = await serve(clinic.replace(" errors BadCredentials", ""));
  expect(await reportOf(server)).toMatchObject({ ...passed, onlyErrors: [{ method: "Auth.Login" }] });
});

test("a call after which the credential is refused ends the run of all methods that need it", async () => {
  const { handlers, guard } = clinicServer();
  const { Auth } = handlers as { readonly Auth: { readonly Logout: () => object } };
  const renamed = { ...handlers, Auth: { ...Auth, Finish: Auth.Logout } };
  await using server = await serve(clinic.replace("Logout()", "Finish()"), { handlers: renamed, guard });
  const { ok, findings, unreached } = await reportOf(server);
  expect({ ok, findings, count: unreached.length }).toEqual({ ok: false, findings: [], count: 24 });
  expect(unreached[1]).toEqual({
    method: "Auth.ChangePassword",
    reason: "not called, because Auth.Finish made the server refuse the credential",
    help: "Leave that method out: --skip Auth.Finish",
  });
});

test("the reason of several methods is explained once", async () => {
  await using server = await serve();
  const { err } = await server.run("--header", "Authorization: wrong");
  expect(err.match(/was not reached/g)).toHaveLength(25);
  expect(err.match(/check the permissions/g)).toHaveLength(1);
});

test.each([
  [["--skip", "Auth,*.Delete*"], 0, 21],
  [["--only", "Doctors,Patients.Create"], 0, 6],
  [["--only", "Doctors", "--skip", "Doctors.Get"], 0, 4],
  [["--only", "Doctor"], 2, 'no service or method "Doctor". Did you mean "Doctors"?'],
  [["--skip", "Logout"], 2, 'no service or method "Logout". Did you mean "Auth.Logout"?'],
  [["--skip", "Auth.Log*,Auth.X*"], 2, 'no service or method "Auth.X*".'],
  [["--skip", "*"], 2, "--only and --skip leave no method to test."],
])("%j", async (args, code, expected) => {
  await using server = await serve();
  const outcome = await server.run(...args);
  expect(outcome.code).toBe(code);
  if (typeof expected === "string") expect(outcome.err).toContain(expected);
  else expect(server.called().size).toBe(expected);
});

test("an integer beyond int64 of the configuration is a finding", async () => {
  await using server = await serve();
  const { err } = await server.run("--config", "numbers.json", "--only", "Doctors.List");
  expect(err).toContain("must be <= 9007199254740991");
});
