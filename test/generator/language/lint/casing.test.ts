import { expect, test } from "vitest";
import { toCamelCase, toPascalCase } from "../../../../generator/language/lint/casing.ts";

test.each([
  ["created_at", "createdAt", "CreatedAt"],
  ["ID", "id", "ID"],
  ["HTTPStatus", "httpStatus", "HTTPStatus"],
  ["user-ID", "userID", "UserID"],
  ["ERC20Token", "erc20Token", "ERC20Token"],
  ["Name", "name", "Name"],
])("%s is %s in camel case and %s in Pascal case", (name, camel, pascal) => {
  expect([toCamelCase(name), toPascalCase(name)]).toEqual([camel, pascal]);
});
