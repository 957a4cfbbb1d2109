CREATE TABLE "assistant_labels" (
	"assistant_id" text collate "C" NOT NULL,
	"label" text NOT NULL,
	"number" integer NOT NULL,
	CONSTRAINT "assistant_labels_assistant_id_label_pk" PRIMARY KEY("assistant_id","label")
);
--> statement-breakpoint
CREATE TABLE "assistant_versions" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"team_id" text collate "C" NOT NULL,
	"assistant_id" text collate "C" NOT NULL,
	"number" integer NOT NULL,
	"config" json NOT NULL,
	"author" jsonb,
	"note" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "assistants" ADD COLUMN "published" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "assistants" ADD COLUMN "latest" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "assistant_version" integer;--> statement-breakpoint
ALTER TABLE "numbers" ADD COLUMN "assistant_version" text;--> statement-breakpoint
ALTER TABLE "assistant_labels" ADD CONSTRAINT "assistant_labels_assistant_id_assistants_id_fk" FOREIGN KEY ("assistant_id") REFERENCES "public"."assistants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_versions" ADD CONSTRAINT "assistant_versions_assistant_id_assistants_id_fk" FOREIGN KEY ("assistant_id") REFERENCES "public"."assistants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "assistant_versions_number" ON "assistant_versions" USING btree ("assistant_id","number");
--> statement-breakpoint
-- What there is becomes the first version of each assistant, under the assistant's own id.
INSERT INTO "assistant_versions" ("id", "team_id", "assistant_id", "number", "config", "created_at")
	SELECT "id", "team_id", "id", 1, "config", "updated_at" FROM "assistants";
