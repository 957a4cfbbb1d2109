CREATE TABLE "text_opt_outs" (
	"team_id" text collate "C" NOT NULL,
	"number_id" text collate "C" NOT NULL,
	"user_number" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "text_opt_outs_number_id_user_number_pk" PRIMARY KEY("number_id","user_number")
);
--> statement-breakpoint
CREATE TABLE "texts" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"team_id" text collate "C" NOT NULL,
	"number_id" text collate "C" NOT NULL,
	"assistant_id" text collate "C",
	"call_id" text collate "C",
	"user_number" text NOT NULL,
	"role" text NOT NULL,
	"text" text NOT NULL,
	"status" text NOT NULL,
	"carrier_message_id" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "text_opt_outs" ADD CONSTRAINT "text_opt_outs_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "texts" ADD CONSTRAINT "texts_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "texts_carrier_message" ON "texts" USING btree ("number_id","carrier_message_id");--> statement-breakpoint
CREATE INDEX "texts_conversation" ON "texts" USING btree ("number_id","user_number","id");--> statement-breakpoint
CREATE INDEX "texts_user" ON "texts" USING btree ("team_id","assistant_id","user_number","id");