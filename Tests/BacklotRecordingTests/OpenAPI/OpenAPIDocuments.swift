/// Documents like those that teams write.
enum OpenAPIDocuments {
    /// OpenAPI 3.0: a library that lends books.
    static let library = #"""
        openapi: 3.0.3
        info:
          title: Library
          version: 1.4.0
        servers:
          - url: https://api.library.example/v1
        security:
          - token: []
        tags:
          - name: books
        paths:
          /books:
            parameters:
              - $ref: '#/components/parameters/Tenant'
            get:
              operationId: listBooks
              summary: Lists the books
              parameters:
                - {name: limit, in: query, required: true, schema: {type: integer, minimum: 1, maximum: 100}}
                - {name: sort, in: query, schema: {type: string, enum: [title, year]}}
              responses:
                '200':
                  description: The books
                  headers:
                    X-Total-Count: {schema: {type: integer, minimum: 0}, example: 2}
                    X-Next: {schema: {type: string, format: uri}}
                  content:
                    application/json:
                      schema:
                        type: array
                        items: {$ref: '#/components/schemas/Book'}
                '401': {$ref: '#/components/responses/Unauthorized'}
            post:
              operationId: addBook
              requestBody:
                required: true
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/Book'}
              responses:
                '201':
                  description: Added
                  headers:
                    Location: {schema: {type: string}, example: /books/7}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Book'}
                '400':
                  description: The book is not in order
                  content:
                    application/problem+json:
                      example: {title: Not in order}
              callbacks:
                added:
                  '{$request.body#/url}':
                    post:
                      responses: {'200': {description: OK}}
          /books/{bookId}:
            get:
              parameters:
                - {name: bookId, in: path, required: true, schema: {type: integer, format: int64}}
              responses:
                '200':
                  description: The book
                  content:
                    application/xml:
                      schema: {$ref: '#/components/schemas/Book'}
                    application/json:
                      examples:
                        novel:
                          summary: A novel
                          value: {id: 7, title: Emma, year: 1815}
                        manual:
                          value: {id: 8, title: "Use {{this}}"}
                  links:
                    author: {operationId: listBooks}
                '404':
                  description: Unknown
                  content:
                    application/json:
                      example: {title: No such book}
            delete:
              responses:
                '204': {description: Removed}
                default: {$ref: '#/components/responses/Unauthorized'}
          /books/{bookId}/cover.{format}:
            get:
              responses:
                '200':
                  description: The picture
                  content:
                    image/png:
                      schema: {type: string, format: binary}
          /loans/{loan-id}:
            patch:
              requestBody:
                content:
                  application/json:
                    schema:
                      type: object
                      required: [until]
                      properties:
                        until: {type: string, format: date, nullable: true}
                        weeks: {type: integer, minimum: 0, exclusiveMinimum: true}
                        next: {$ref: '#/components/schemas/Loan'}
              responses:
                '200':
                  description: The loan
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Loan'}
            options:
              responses: {'204': {description: Fine}}
          /log-in:
            post:
              security: []
              requestBody:
                required: true
                content:
                  application/x-www-form-urlencoded:
                    schema:
                      type: object
                      required: [user, pin]
                      properties:
                        user: {type: string}
                        pin: {type: integer}
              responses:
                '303':
                  description: Onwards
                  headers:
                    Location: {schema: {type: string, default: /books}}
          /:
            get:
              responses:
                '200':
                  description: A greeting
                  content:
                    text/plain: {schema: {type: string}, example: Welcome}
        components:
          parameters:
            Tenant: {name: X-Tenant, in: header, required: true, schema: {type: string, pattern: '^[a-z]+$'}}
          responses:
            Unauthorized:
              description: Who are you?
              content:
                application/json:
                  schema:
                    type: object
                    properties: {title: {type: string, example: Log in}}
          securitySchemes:
            token: {type: http, scheme: bearer}
          schemas:
            Media:
              type: object
              required: [id, title]
              properties:
                id: {type: integer, readOnly: true, example: 7}
                title: {type: string, minLength: 1}
                secret: {type: string, writeOnly: true}
            Book:
              allOf:
                - $ref: '#/components/schemas/Media'
                - type: object
                  properties:
                    year: {type: integer, minimum: 1450, nullable: true}
                    isbn: {type: string, minLength: 13, maxLength: 13}
                    price: {type: number, minimum: 0, exclusiveMinimum: true, multipleOf: 0.25}
                    added: {type: string, format: date-time}
                    tags: {type: array, minItems: 2, items: {type: string, enum: [old, new]}}
                    sequel: {$ref: '#/components/schemas/Book'}
            Loan:
              type: object
              required: [id, book]
              properties:
                id: {type: string, format: uuid}
                book: {$ref: '#/components/schemas/Book'}
                open: {type: boolean}
        """#

    /// OpenAPI 3.1: a service that delivers parcels.
    static let parcels = #"""
        {
          "openapi": "3.1.0",
          "info": {"title": "Parcels", "version": "2"},
          "jsonSchemaDialect": "https://spec.openapis.org/oas/3.1/dialect/base",
          "paths": {
            "/parcels": {
              "post": {
                "operationId": "send",
                "requestBody": {
                  "required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Parcel"}}}
                },
                "responses": {
                  "202": {
                    "description": "Taken",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Parcel"}}}
                  },
                  "4XX": {
                    "description": "Refused",
                    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
                  }
                }
              }
            },
            "/parcels/{id}/events": {
              "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string", "pattern": "^P[0-9]+$"}}],
              "get": {
                "responses": {
                  "2XX": {
                    "description": "What has happened",
                    "content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Event"}, "minItems": 1}}}
                  },
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              }
            },
            "/parcels/{id}:cancel": {
              "post": {"responses": {"200": {"description": "", "content": {"application/json": {"example": null}}}}}
            },
            "/export.csv": {
              "get": {
                "responses": {
                  "200": {"description": "All", "content": {"text/csv": {"examples": {"one": {"value": "id,weight\n1,2\n"}}}}}
                }
              }
            },
            "/tree": {
              "get": {
                "responses": {
                  "200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Tree"}}}}
                }
              }
            }
          },
          "webhooks": {"arrived": {"post": {"responses": {"200": {"description": ""}}}}},
          "components": {
            "responses": {
              "Problem": {
                "description": "Not in order",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            },
            "schemas": {
              "Parcel": {
                "type": "object",
                "required": ["to", "weight"],
                "properties": {
                  "to": {"$ref": "#/components/schemas/Address"},
                  "weight": {"type": "number", "exclusiveMinimum": 0, "maximum": 31.5},
                  "note": {"type": ["string", "null"], "maxLength": 4},
                  "kind": {"const": "parcel"},
                  "size": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "integer"}], "items": false}
                },
                "additionalProperties": false
              },
              "Address": {
                "oneOf": [{"$ref": "#/components/schemas/Street"}, {"$ref": "#/components/schemas/Box"}],
                "discriminator": {"propertyName": "type", "mapping": {"street": "#/components/schemas/Street"}}
              },
              "Street": {
                "type": "object",
                "required": ["type", "city"],
                "properties": {"type": {"type": "string"}, "city": {"type": "string", "examples": ["Bath"]}, "line": {"type": "string"}}
              },
              "Box": {
                "type": "object",
                "required": ["type", "box"],
                "properties": {"type": {"const": "box"}, "box": {"type": "integer"}}
              },
              "Event": {
                "type": "object",
                "properties": {"at": {"type": "string", "format": "date-time"}, "by": {"anyOf": [{"type": "null"}, {"type": "string", "format": "email"}]}}
              },
              "Problem": {
                "type": "object",
                "properties": {"title": {"type": "string", "default": "Refused"}, "status": {"type": "integer", "minimum": 400}}
              },
              "Tree": {
                "type": "object",
                "required": ["name", "children"],
                "properties": {
                  "name": {"type": "string"},
                  "children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}},
                  "labels": {"type": "object", "additionalProperties": {"type": "integer"}}
                }
              }
            }
          }
        }
        """#
}
