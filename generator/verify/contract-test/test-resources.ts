import { isJsonObject, type Json } from "../../codegen/plan/json.ts";
import type { PlannedField, PlannedMethod, PlannedStruct, TypeFinder } from "../../codegen/plan/plan.ts";
import { excludedBy, unionsOf } from "../../codegen/plan/unions.ts";
import { constraintKey } from "../../codegen/plan/values.ts";
import { coreTypes } from "../../language/model/core-types.ts";
import { isSameType, type ResolvedType } from "../../language/model/types.ts";
import {
  firstRequest,
  keyOf,
  listedRecord,
  maxSizeOf,
  nextRequest,
  type Resource,
  type RoleMethod,
  recordIn,
  recordsIn,
  recordsPath,
  resourcesOf,
  roles,
} from "../resources/resources.ts";
import { itemSlot, type ValueSlot } from "../samples/values.ts";
import type { TestCall } from "./call.ts";
import type { Tester } from "./tester.ts";

type Fields = Readonly<Record<string, Json>>;

/** Number of records to create: enough for two pages, and for the minimum and maximum of a few fields. */
const recordCount = 12;

/** Checks that the create, get, list, update and delete methods of each resource agree. A finding has the one to three calls that show it. */
export async function testResources(suite: Tester): Promise<void> {
  for (const resource of resourcesOf(suite.plan)) {
    const { record, keys } = resource;
    const methods = roles.flatMap((role) => {
      const one = resource[role];
      return one !== undefined && suite.isTested(one) ? [[role, one] as const] : [];
    });
    await new ResourceTest(suite, { record, keys, ...Object.fromEntries(methods) }).run();
  }
}

class ResourceTest {
  readonly #suite: Tester;
  readonly #resource: Resource;
  readonly #types: TypeFinder;

  constructor(suite: Tester, resource: Resource) {
    this.#suite = suite;
    this.#resource = resource;
    this.#types = suite.plan.finder;
  }

  async run(): Promise<void> {
    const { create } = this.#resource;
    if (create === undefined) return;
    const keys = new Set<string>();
    const requests = this.#suite.requests(create).slice(0, recordCount);
    for (const [index, body] of requests.entries()) {
      if (this.#suite.isTimeUp()) return;
      const created = await this.#create(create, body);
      if (created === undefined) continue;
      const key = JSON.stringify(keyOf(this.#resource, created.record));
      if (keys.has(key))
        this.#report(create, "create-returns-new-key", `two records have the key ${key}`, [created.call]);
      keys.add(key);
      await this.#get(created.record, [created.call]);
      const now = index % 3 === 1 ? await this.#update(created, requests[index - 1] ?? body) : created;
      // The state of the record is unknown after a failed update.
      if (now === undefined) continue;
      if (index % 3 === 2) await this.#delete(created);
      else await this.#checkList(now, true, []);
    }
    await this.#checkPages();
  }

  async #create(create: RoleMethod, body: Json): Promise<CreatedRecord | undefined> {
    const { value, call } = await this.#call(create, body);
    const record = this.#recordIn(create, value);
    if (record === undefined) return undefined;
    const lost = this.#difference(body, record, create);
    if (lost !== undefined) this.#report(create, "create-stores-fields", lost, [call]);
    return { record, call };
  }

  /** Describes a field whose stored value differs from the sent one. Fields that were omitted or sent in another form are skipped. */
  #difference(sent: Json, record: Fields, { method }: RoleMethod): string | undefined {
    if (!isJsonObject(sent)) return undefined;
    const known = new Map(
      this.#types.struct(this.#resource.record).fields.map((field) => [field.wireName, field]),
    );
    for (const { field, values } of this.#fieldsIn(method, sent)) {
      const { wireName } = field;
      if (!known.has(wireName) || this.#resource.keys.includes(wireName)) continue;
      const value = values[wireName] ?? field.default;
      if (value === undefined || value === null || typeof value === "bigint") continue;
      const stored = record[wireName];
      const [a, b] = [value, stored].map((one) => this.#stored(field, one));
      if (a !== b) return `"${wireName}" was sent as ${canonical(value)} but is ${canonical(stored)}`;
    }
    return undefined;
  }

  /** The text of a value for comparing it: of a request as servers store it. */
  #stored({ type, constraints }: ValueSlot, value: Json | bigint | undefined): string {
    if (value === undefined || value === null) return canonical(value);
    const resolved = this.#types.unaliased(type);
    const inner = (item: ResolvedType, one: Json): string => this.#stored(itemSlot(item, this.#types), one);
    if (resolved.kind === "core") {
      const core = coreTypes[resolved.name];
      // A server stores the canonical form of a formatted value.
      if (core.kind === "formatted" && core.read !== undefined) return "";
    } else if (resolved.kind === "enum" && typeof value === "number") {
      const { values } = this.#types.enum(resolved.name);
      return values.find(({ number }) => Number(number) === value)?.wire ?? canonical(value);
    } else if (resolved.kind === "list" && Array.isArray(value))
      return `[${value.map((item: Json) => inner(resolved.element, item)).join()}]`;
    else if (resolved.kind === "map" && isJsonObject(value))
      return canonical(
        Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(resolved.value, one)])),
      );
    else if (resolved.kind === "struct" && isJsonObject(value)) {
      const { fields } = this.#types.struct(resolved.name);
      return fields
        .map((field) => {
          const name = [field.wireName, ...field.aliases].find((one) => value[one] !== undefined);
          return this.#stored(field, name === undefined ? field.default : value[name]);
        })
        .join();
    }
    const text = canonical(value);
    return constraints.normalize === "lowercase" ? text.toLowerCase() : text;
  }

  /** The fields of a request, and those of the record or of a struct derived from it in the request. */
  #fieldsIn({ request }: PlannedMethod, sent: Fields): readonly SentField[] {
    return this.#types.struct(request.typeName).fields.flatMap((field) => {
      const own = { field, values: sent };
      const struct = this.#structOf(field);
      const inner = sent[field.wireName];
      const isRecord = [struct?.name, struct?.derivedFrom].includes(this.#resource.record);
      if (struct === undefined || !isRecord || !isJsonObject(inner)) return [own];
      return [own, ...struct.fields.map((one) => ({ field: one, values: inner }))];
    });
  }

  #structOf({ type }: PlannedField): PlannedStruct | undefined {
    const resolved = this.#types.unaliased(type);
    return resolved.kind === "struct" ? this.#types.struct(resolved.name) : undefined;
  }

  async #get(record: Fields, before: readonly TestCall[]): Promise<void> {
    const { get } = this.#resource;
    if (get === undefined) return;
    const { value, error, call } = await this.#call(get, keyOf(this.#resource, record), before);
    if (error !== undefined)
      return this.#report(get, "get-finds-record", `${error.name} for an existing record`, [...before, call]);
    const found = this.#recordIn(get, value);
    const changed = found && differenceOf(record, found);
    if (changed !== undefined) this.#report(get, "get-returns-stored-values", changed, [...before, call]);
  }

  async #update({ record, call: createCall }: CreatedRecord, body: Json): Promise<CreatedRecord | undefined> {
    const { create, update } = this.#resource;
    if (create === undefined || update === undefined || !isJsonObject(body))
      return { record, call: createCall };
    const struct = this.#types.struct(update.method.request.typeName);
    const inner = struct.fields.flatMap((field) => this.#structOf(field)?.fields ?? []);
    const names = new Set([...struct.fields, ...inner].map(({ wireName }) => wireName));
    const shared = struct.fields.filter((field) => this.#hasField(create, field));
    const changes = Object.fromEntries(
      shared.flatMap(({ wireName }) => (body[wireName] === undefined ? [] : [[wireName, body[wireName]]])),
    );
    const key = keyOf(this.#resource, record);
    const isComplete = isCompleteRequest({ ...changes, ...key }, struct, this.#types);
    const values = isComplete ? changes : this.#suite.requests(update)[0];
    const request: Fields = { ...(isJsonObject(values) ? values : {}), ...key };
    const { value, error, call } = await this.#call(update, request, [createCall]);
    if (error !== undefined) {
      this.#report(update, "update-finds-record", `${error.name} for an existing record`, [createCall, call]);
      return undefined;
    }
    const changed = this.#recordIn(update, value);
    if (changed === undefined) return undefined;
    const lost = this.#difference(request, changed, update);
    if (lost !== undefined) this.#report(update, "update-stores-fields", lost, [createCall, call]);
    for (const name of Object.keys(record))
      if (
        !names.has(name) &&
        !this.#resource.keys.includes(name) &&
        canonical(record[name]) !== canonical(changed[name])
      )
        this.#report(
          update,
          "update-keeps-other-fields",
          `"${name}" changed, although it was not in the request`,
          [createCall, call],
        );
    await this.#get(changed, [createCall, call]);
    return { record: changed, call: createCall, updateCall: call };
  }

  /** Whether the method takes the same values for a field. */
  #hasField({ method }: RoleMethod, { wireName, type, constraints }: PlannedField): boolean {
    return this.#types
      .struct(method.request.typeName)
      .fields.some(
        (other) =>
          other.wireName === wireName &&
          isSameType(other.type, type) &&
          constraintKey(other.constraints) === constraintKey(constraints),
      );
  }

  async #delete({ record, call: createCall }: CreatedRecord): Promise<void> {
    const { delete: deleteMethod, get } = this.#resource;
    if (deleteMethod === undefined) return;
    const key = keyOf(this.#resource, record);
    const { error, call, value } = await this.#call(deleteMethod, key, [createCall]);
    if (error !== undefined)
      return this.#report(deleteMethod, "delete-finds-record", `${error.name} for an existing record`, [
        createCall,
        call,
      ]);
    if (value === undefined) return;
    if (get !== undefined) {
      const again = await this.#call(get, key, [createCall, call]);
      if (again.value !== undefined)
        this.#report(deleteMethod, "delete-removes-record", "the deleted record is still returned", [
          createCall,
          call,
          again.call,
        ]);
    }
    await this.#checkList({ record, call: createCall }, false, [call]);
  }

  /** Checks whether a list contains the record, unless the page may be incomplete. */
  async #checkList(
    { record, call: createCall, updateCall }: CreatedRecord,
    isExpected: boolean,
    after: readonly TestCall[],
  ): Promise<void> {
    const before = [createCall, ...(updateCall === undefined ? [] : [updateCall]), ...after];
    const { list } = this.#resource;
    if (list === undefined) return;
    const { paging } = list.method;
    const size = paging && maxSizeOf(paging);
    const request = paging === undefined || size === undefined ? {} : firstRequest(paging, size);
    const { value, call } = await this.#call(list, request, before);
    const records = this.#recordsIn(list, value);
    if (records === undefined || (isExpected && size !== undefined && records.length >= size)) return;
    const key = canonical(keyOf(this.#resource, record));
    const found = records.find((one) => canonical(keyOf(this.#resource, one)) === key);
    if (isExpected && found === undefined)
      this.#report(list, "list-includes-records", `the record ${key} is not in the list`, [...before, call]);
    if (!isExpected && found !== undefined)
      this.#report(list, "list-omits-deleted", `the record ${key} was deleted, but is still in the list`, [
        ...before,
        call,
      ]);
    if (!isExpected || found === undefined) return;
    const path = recordsPath(this.#suite.plan, this.#resource, list.method) ?? [];
    const stored = listedRecord(this.#suite.plan, path, record);
    const changed = differenceOf(stored, found);
    if (changed !== undefined) this.#report(list, "list-returns-stored-values", changed, [...before, call]);
  }

  /** Checks that two pages of one entry are the same as one page of two. */
  async #checkPages(): Promise<void> {
    const { list } = this.#resource;
    const paging = list?.method.paging;
    if (list === undefined || paging === undefined) return;
    const fetchPage = async (body: Fields) => {
      const { value, call } = await this.#call(list, body);
      const records = this.#recordsIn(list, value);
      return {
        call,
        value,
        records,
        keys: records?.map((record) => canonical(keyOf(this.#resource, record))),
      };
    };
    const request = firstRequest(paging, 1);
    const [both, first] = [await fetchPage(firstRequest(paging, 2)), await fetchPage(request)];
    if (both.keys === undefined || first.keys === undefined) return;
    const next = nextRequest(paging, request, { response: first.value, entries: first.keys.length });
    const second = next && (await fetchPage(next));
    if (second !== undefined && second.keys === undefined) return;
    const pages = [both, first, ...(second === undefined ? [] : [second])];
    const calls = pages.map(({ call }) => call);
    const long = pages.find(({ records = [] }, index) => records.length > (index === 0 ? 2 : 1));
    if (long !== undefined)
      this.#report(list, "page-size", "a page has more entries than requested", [long.call]);
    const joined = [...first.keys, ...(second?.keys ?? [])];
    if (joined.join() !== both.keys.join() || both.keys.length < 2)
      this.#report(
        list,
        "pages-continue",
        `one page of two entries has ${both.keys.join(" ") || "none"}, but two pages of one entry have ${joined.join(" ") || "none"}`,
        calls,
      );
  }

  #call(
    { service, method }: RoleMethod,
    body: Json,
    before?: readonly TestCall[],
  ): ReturnType<Tester["call"]> {
    return this.#suite.call(service, method, body, before);
  }

  #recordIn({ method }: RoleMethod, value: unknown): Fields | undefined {
    return value === undefined ? undefined : recordIn(this.#suite.plan, this.#resource, method, value);
  }

  #recordsIn({ method }: RoleMethod, value: unknown): readonly Fields[] | undefined {
    return value === undefined ? undefined : recordsIn(this.#suite.plan, this.#resource, method, value);
  }

  #report({ service, method }: RoleMethod, rule: string, message: string, calls: readonly TestCall[]): void {
    this.#suite.report(rule, service, method, message, calls);
  }
}

/** Describes a value that differs from the stored one. */
function differenceOf(stored: Fields, found: Fields): string | undefined {
  const name = Object.keys({ ...stored, ...found }).find(
    (one) => canonical(stored[one]) !== canonical(found[one]),
  );
  if (name === undefined) return undefined;
  return `"${name}" is ${canonical(found[name])}, but was ${canonical(stored[name])}`;
}

/** Whether a request has all required fields, and those of one case of each union. */
function isCompleteRequest(request: Fields, struct: PlannedStruct, types: TypeFinder): boolean {
  const isSet = ({ wireName }: PlannedField): boolean => (request[wireName] ?? null) !== null;
  return (
    struct.fields.every(
      (field) => field.optional || field.nullable || field.default !== undefined || isSet(field),
    ) &&
    unionsOf(struct, types).every((union) =>
      union.cases.some(
        (one) =>
          (union.kind === undefined || request[union.kind.wireName] === one.kind?.wire) &&
          one.required.every(isSet) &&
          !excludedBy(one, union).some(isSet),
      ),
    )
  );
}

interface SentField {
  readonly field: PlannedField;
  /** The struct with the value of the field. */
  readonly values: Fields;
}

interface CreatedRecord {
  readonly record: Fields;
  readonly call: TestCall;
  /** The call that updated the record. */
  readonly updateCall?: TestCall;
}

/** Text for comparing JSON: keys are sorted, null is omitted, and `1` equals `"1"`, because a request may send either. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (isJsonObject(value))
    return `{${Object.keys(value)
      .sort()
      .filter((key) => value[key] !== null)
      .map((key) => `${key}:${canonical(value[key])}`)
      .join()}}`;
  return value === undefined || value === null ? "nothing" : String(value);
}
