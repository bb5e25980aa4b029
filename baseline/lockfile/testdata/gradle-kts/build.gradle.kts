plugins { kotlin("jvm") version "1.9.10" }
dependencies {
    implementation("com.squareup.okhttp3:okhttp:4.11.0")
    implementation(group = "commons-io", name = "commons-io", version = "2.13.0")
    testImplementation(kotlin("test"))
    implementation(platform("org.list:bom:7"))
    implementation(project(":core"))
    ksp("com.squareup.moshi:moshi-kotlin-codegen:${moshi}")
}
== pins
pkg:maven/com.squareup.okhttp3/okhttp@4.11.0
pkg:maven/commons-io/commons-io@2.13.0
- com.squareup.moshi:moshi-kotlin-codegen:${moshi}: not-literal
- org.list:bom:7: list-of-versions
