import { utc } from "../../../base/storage/sql.ts";
import { type Command, firstOf, limitOption, readLimit } from "../command.ts";

export const audit: readonly Command[] = [
  {
    name: "audit list",
    help: "list what operators have changed and exported, newest first",
    positionals: [],
    options: {
      ...limitOption,
      actor: { valueName: "NAME", help: "of this operator only" },
    },
    details:
      "An operator is named by PLATFORM_ACTOR, or else by the user of the operating system. Commands that list or show are not recorded.",
    run: async ({ database }, input) => ({
      list: await (await database()).query(
        `select id::float8 as id, ${utc("at")} as at, actor, machine, command, arguments, ids, outcome
         from audit_record where $2::text is null or actor = $2 order by id desc limit $1`,
        [readLimit(input), firstOf(input, "actor") ?? null],
      ),
    }),
  },
];
